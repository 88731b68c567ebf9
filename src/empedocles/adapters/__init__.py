"""The games behind the interfaces of research libraries; each library is imported when its adapter is."""
