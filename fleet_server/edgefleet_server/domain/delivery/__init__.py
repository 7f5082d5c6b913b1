"""Order and pace of blocks to devices."""
