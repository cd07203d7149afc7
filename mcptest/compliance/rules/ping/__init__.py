"""Ping: is the other side still there?"""
