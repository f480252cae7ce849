from .core import *
from .callbacks import *
from .data import *
