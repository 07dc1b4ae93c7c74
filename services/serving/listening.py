"""The listening socket: bound here, or handed over by the service manager, which then keeps it across restarts."""

from __future__ import annotations

import errno
import os
import socket

BACKLOG = 2048
_FIRST_PASSED = 3  # sd_listen_fds(3)


class ListenError(Exception):
    """The address can't be listened on; the text says why."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. One passed by the service manager (LISTEN_FDS) wins over host and port. Raises `ListenError`."""
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS") == "1":
        return socket.socket(fileno=_FIRST_PASSED)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as problem:
        listener.close()
        if isinstance(problem, OSError) and problem.errno == errno.EADDRINUSE:
            msg = f"port {port} on {host} is taken by another program; stop that one, or choose another with --port"
        elif isinstance(problem, OSError) and problem.errno == errno.EACCES:
            msg = f"this user may not listen on port {port}; choose one above 1023 with --port"
        else:
            msg = f"can't listen on {host} port {port}: {problem}"
        raise ListenError(msg) from problem
    return listener


def where(listener: socket.socket) -> str:
    """The socket's base URL, for people."""
    name = listener.getsockname()
    if listener.family == socket.AF_UNIX:
        return f"unix:{name}"
    return f"http://[{name[0]}]:{name[1]}" if listener.family == socket.AF_INET6 else f"http://{name[0]}:{name[1]}"


def notify_manager(state: str) -> None:
    """Tell the service manager (sd_notify(3)); without one nothing happens."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
        sender.connect("\0" + address[1:] if address.startswith("@") else address)
        sender.sendall(state.encode())
