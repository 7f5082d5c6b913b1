"""What the device keeps of models, safe against a power cut at any byte.

blobs      bytes named by their SHA-256; blocks arrive in any order, each checked before it counts
packages   a package folder put together from blobs; what of it this device still misses
record     P  what one slot holds: active, trial, last good, factory, quarantine, and its lawful changes
slots      the records on disk: one file a slot, one atomic rename a change
collect    P  which packages and blobs nothing needs any more
"""
