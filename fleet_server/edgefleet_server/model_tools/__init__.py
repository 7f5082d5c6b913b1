"""Tools of a workstation: quantize, analyze, fetch, convert. Heavy libraries are imported when needed; agents run models."""
