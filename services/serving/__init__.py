"""The processes that answer HTTP: a parent that holds the listening socket, workers that come and go, a server that drains before it ends."""
