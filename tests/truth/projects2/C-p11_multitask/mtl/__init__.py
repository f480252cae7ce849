from .fabric import Forge
from .losses import GradNormWeighting, MultiTaskLoss, StaticWeighting, UncertaintyWeighting
from .metrics import DepthMetric, NormalMetric, SegMetric
from .model import MultiTaskNet
