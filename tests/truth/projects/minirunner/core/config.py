import os.path as osp
import runpy


class ConfigDict(dict):

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value


def _wrap(obj):
    if isinstance(obj, dict):
        return ConfigDict({k: _wrap(v) for k, v in obj.items()})
    if isinstance(obj, (list, tuple)):
        return type(obj)(_wrap(o) for o in obj)
    return obj


class Config(object):

    @staticmethod
    def fromfile(filename):
        filename = osp.abspath(osp.expanduser(filename))
        scope = runpy.run_path(filename)
        return _wrap({k: v for k, v in scope.items() if not k.startswith('__')})
