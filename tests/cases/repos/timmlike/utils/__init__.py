from .meters import AverageMeter, accuracy
from .misc import *
