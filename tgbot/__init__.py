"""Telegram's side: taps become commands, tables become boards."""
