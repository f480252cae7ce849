from .detector import Detector
