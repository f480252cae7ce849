import importlib
import os


def get_all_models():
    here = os.path.dirname(os.path.abspath(__file__))
    return sorted(f[:-3] for f in os.listdir(here) if f.endswith('.py') and not f.startswith('_'))


def get_model(name, args, backbone, loss, transform):
    mod = importlib.import_module('models.' + name)
    cls = {x.lower(): x for x in mod.__dir__()}[name.replace('_', '')]
    return getattr(mod, cls)(backbone, loss, args, transform)


from models._base import ContinualModel  # noqa
