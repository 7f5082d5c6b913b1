"""Arguments and clients that several commands share."""
