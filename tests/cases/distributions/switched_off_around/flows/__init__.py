"""The package switches validation off for all that import a part of it."""
from .base import Flow
