from .ema import ModelEmaV2
from .metrics import AverageMeter, accuracy
from .scaler import NativeScaler, dispatch_clip_grad
from .summary import update_summary, CheckpointSaver
