from .pcn import PCN

MODELS = {'PCN': PCN}


def build_model(name, **kw):
    return MODELS[name](**kw)
