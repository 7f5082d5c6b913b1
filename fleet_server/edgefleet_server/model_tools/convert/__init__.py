"""From what frameworks save to what runtimes read. The frameworks run in a child, with a Python that may be another than ours."""
