from .field import HashField
from .occupancy import OccupancyGrid
from .render import render_rays, render_image
from .data import ToyDataset
