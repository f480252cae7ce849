from . import small
from .resnet import *
