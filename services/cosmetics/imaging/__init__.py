"""From a file that anybody may have made to pictures that are safe to serve."""
