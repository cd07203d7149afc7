"""One module per probe, named by its file. Its docstring is the manual: a line of summary, then the contract.

`TAXONOMY` and `PAPER` say which fault it stands for, `DEFAULT` whether it runs unless others are named, `SCOPE` whether
it needs a tool. `spoil(subject)` yields bad arguments for a call; or `converse(talk)` does something else.
"""
