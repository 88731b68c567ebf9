"""The browser app: tables at which people and bots play, over HTTP and WebSockets."""
