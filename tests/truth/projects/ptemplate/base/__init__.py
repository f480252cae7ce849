from .base_model import *
from .base_trainer import *
