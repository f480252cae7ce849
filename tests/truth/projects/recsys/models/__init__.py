from models.dlrm import DLRM
from models.ncf import NeuMF

MODELS = {"dlrm": DLRM, "ncf": NeuMF}
