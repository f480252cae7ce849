"""Modules that are missing and of which nothing matters: any name of them is there, and does nothing."""
import importlib
import importlib.machinery
import sys
import types


class _Kind(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Blank

    def __or__(cls, other):
        return cls

    __ror__ = __or__

    def __getitem__(cls, key):
        return Blank

    def __setitem__(cls, key, value):
        pass


class Blank(metaclass=_Kind):
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Blank()

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __getitem__(self, key):
        return self

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter(())

    def __bool__(self):
        return False

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None


def _attribute(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Blank


def blank(*names):
    """Stand in for those of these modules (parents before children) that cannot be imported."""
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            module = types.ModuleType(name)
            module.__path__, module.__getattr__ = [], _attribute
            module.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
            sys.modules[name] = module
            if "." in name and name.rsplit(".", 1)[0] in sys.modules:
                setattr(sys.modules[name.rsplit(".", 1)[0]], name.rsplit(".", 1)[1], module)
