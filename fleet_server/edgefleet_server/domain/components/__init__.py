"""Components of devices, packages and the server: bills of materials, versions, and the dossier about one of them."""
