"""NPUs of Rockchip, driven by Rockchip's runtime library in a host process."""
