#!/usr/bin/env python3
"""adopting.py COMMAND...: becomes COMMAND, and the parent of all orphans of its children.

The host process asks the kernel for that itself; qemu 7.2 does not pass the request on, so a backend's processes would
outlive their run.  The request made here holds, because it stays with a process when its program changes."""
import ctypes
import os
import sys

PR_SET_CHILD_SUBREAPER = 36

if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
    sys.exit(f"adopting.py: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[1], sys.argv[1:])
