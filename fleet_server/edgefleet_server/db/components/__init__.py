"""Components of devices: bills by digest, and what is installed where, since when."""
