from .fastspeech2 import FastSpeech2
from .loss import FastSpeech2Loss
from .optimizer import ScheduledOptim
