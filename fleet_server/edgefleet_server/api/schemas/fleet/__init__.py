"""Bodies about devices and what is known of them."""
