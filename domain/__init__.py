"""What In-Between is: cards, rules, a table, and what may happen at it.

Standard library only: no clock, no luck of its own, no words shown to people.
"""
