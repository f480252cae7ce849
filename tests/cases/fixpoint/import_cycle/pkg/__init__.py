from .a import *
from .b import helper_b
