from .factory import create_model
from .convnet import ConvNet
