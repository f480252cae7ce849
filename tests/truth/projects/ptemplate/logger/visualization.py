import importlib
from datetime import datetime


class TensorboardWriter():
    def __init__(self, log_dir, logger, enabled):
        self.writer = None
        self.selected_module = ""
        if enabled:
            for module in ["torch.utils.tensorboard", "tensorboardX"]:
                try:
                    self.writer = importlib.import_module(module).SummaryWriter(str(log_dir))
                    self.selected_module = module
                    break
                except ImportError:
                    continue
            if self.writer is None:
                logger.warning("Warning: visualization (Tensorboard) is configured to use, but not installed.")
        self.step = 0
        self.mode = ''
        self.tb_writer_ftns = {'add_scalar', 'add_scalars', 'add_image', 'add_images', 'add_text', 'add_histogram'}
        self.timer = datetime.now()

    def set_step(self, step, mode='train'):
        self.mode = mode
        self.step = step
        if step == 0:
            self.timer = datetime.now()
        else:
            duration = datetime.now() - self.timer
            self.add_scalar('steps_per_sec', 1 / max(duration.total_seconds(), 1e-9))
            self.timer = datetime.now()

    def __getattr__(self, name):
        if name in self.tb_writer_ftns:
            add_data = getattr(self.writer, name, None)

            def wrapper(tag, data, *args, **kwargs):
                if add_data is not None:
                    add_data('{}/{}'.format(tag, self.mode), data, self.step, *args, **kwargs)
            return wrapper
        raise AttributeError(name)
