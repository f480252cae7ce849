import logging
from datetime import datetime
from functools import reduce
from operator import getitem
from pathlib import Path

from utils import ensure_dir, read_json


class ConfigParser:
    def __init__(self, config, resume=None, modification=None):
        self._config = _update_config(config, modification)
        self.resume = resume
        run_id = datetime.now().strftime(r'%m%d_%H%M%S')
        save_dir = Path(self.config['trainer']['save_dir'])
        self._save_dir = save_dir / 'models' / self.config['name'] / run_id
        self._log_dir = save_dir / 'log' / self.config['name'] / run_id
        ensure_dir(self.save_dir)
        ensure_dir(self.log_dir)
        logging.basicConfig(level=logging.INFO, format='%(message)s',
                            handlers=[logging.StreamHandler(), logging.FileHandler(str(self.log_dir / 'info.log'))])

    @classmethod
    def from_args(cls, args, options=''):
        for opt in options:
            args.add_argument(*opt.flags, default=None, type=opt.type)
        args = args.parse_args()
        resume = Path(args.resume) if args.resume is not None else None
        cfg_fname = Path(__file__).parent / args.config
        modification = {opt.target: getattr(args, _get_opt_name(opt.flags)) for opt in options}
        return cls(read_json(cfg_fname), resume, modification)

    def init_obj(self, name, module, *args, **kwargs):
        module_name = self[name]['type']
        module_args = dict(self[name]['args'])
        assert all([k not in module_args for k in kwargs]), 'Overwriting kwargs given in config file is not allowed'
        module_args.update(kwargs)
        return getattr(module, module_name)(*args, **module_args)

    def __getitem__(self, name):
        return self.config[name]

    def get_logger(self, name, verbosity=2):
        logger = logging.getLogger(name)
        logger.setLevel({0: logging.WARNING, 1: logging.INFO, 2: logging.DEBUG}[verbosity])
        return logger

    config = property(lambda self: self._config)
    save_dir = property(lambda self: self._save_dir)
    log_dir = property(lambda self: self._log_dir)


def _update_config(config, modification):
    for k, v in (modification or {}).items():
        if v is not None:
            keys = k.split(';')
            reduce(getitem, keys[:-1], config)[keys[-1]] = v
    return config


def _get_opt_name(flags):
    for flg in flags:
        if flg.startswith('--'):
            return flg.replace('--', '')
    return flags[0].replace('--', '')
