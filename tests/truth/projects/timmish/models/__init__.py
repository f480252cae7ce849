from .vit import vit_micro


def create_model(name, **kwargs):
    return globals()[name](**kwargs)
