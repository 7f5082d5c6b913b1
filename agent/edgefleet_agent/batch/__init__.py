"""Batch inference over archives of pictures, videos and tables: work units, executors, a resumable result store."""
