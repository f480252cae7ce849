from .sr_model import SRModel
