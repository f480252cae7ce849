import logging
from functools import partial
from pathlib import Path


class ConfigParser:
    def __init__(self, config, run_id=None):
        self._config = config
        self._save_dir = Path(self.config['trainer']['save_dir'])

    def init_obj(self, name, module, *args, **kwargs):
        module_name = self[name]['type']
        module_args = dict(self[name]['args'])
        module_args.update(kwargs)
        return getattr(module, module_name)(*args, **module_args)

    def __getitem__(self, name):
        return self.config[name]

    def get_logger(self, name, verbosity=2):
        return logging.getLogger(name)

    @property
    def config(self):
        return self._config

    @property
    def save_dir(self):
        return self._save_dir
