"""Which settings a package runs best with on this device."""
