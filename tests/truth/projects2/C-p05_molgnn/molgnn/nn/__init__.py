from .conv import GATConv, GINEConv, SAGEConv
from .pool import EdgePool, TopKPool
from .scatter import scatter, segment_softmax
from .models import LinkModel, MolNet
