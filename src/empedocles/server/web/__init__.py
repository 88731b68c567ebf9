"""The browser app and the API: HTTP, WebSockets and pages."""
