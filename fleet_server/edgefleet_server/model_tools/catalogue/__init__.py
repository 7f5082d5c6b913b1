"""Well-known public models: where they are, what their bytes have to be, and the manifest that makes a package of them."""
