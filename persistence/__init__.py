"""The table between two messages: rows, and the transactions in which they change. The database is the only truth."""
