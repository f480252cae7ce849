from .image_pool import ImagePool
from .visualizer import Visualizer
