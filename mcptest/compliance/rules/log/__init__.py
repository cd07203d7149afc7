"""Log messages: their levels, their content and when they may be sent."""
