from . import NBEATS, PatchTST
