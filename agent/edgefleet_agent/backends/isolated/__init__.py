"""Models in processes of their own, for runtimes that may abort their process."""
