"""Ports of this machine for servers whose address has to be known before they serve."""

import socket


def free_port() -> int:
    """One that nobody listens on now."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
