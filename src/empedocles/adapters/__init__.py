"""The games for learning programs and research libraries; each library is imported when its adapter is."""
