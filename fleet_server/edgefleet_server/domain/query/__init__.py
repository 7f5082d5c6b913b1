"""Device queries: `site = lyon and not (ring = canary or profile = coral) and package:spotter = 1.1.*`."""
