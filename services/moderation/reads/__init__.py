"""Who read what of whom: recorded before the data is sent, in a stream of the reader's own."""
