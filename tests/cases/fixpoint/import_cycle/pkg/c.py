from .b import *
from .a import *


def helper_c(t):
    return pkg.helper_a(t) + float(t)  # sync: host-read


import pkg
