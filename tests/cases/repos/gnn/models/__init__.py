from .gat import GAT
from .pooling import TopKReadout
