from semi.algorithms import ALGORITHMS, FixMatch, FlexMatch, MeanTeacher
from semi.ema import ModelEMA
from semi.data import get_loaders
