"""Event rules, one file a kind: visits, lines, counts, speed."""
