import importlib

from models.base_model import BaseModel


def find_model_using_name(model_name):
    modellib = importlib.import_module("models." + model_name + "_model")
    model = None
    for name, cls in modellib.__dict__.items():
        if name.lower() == model_name + 'model' and issubclass(cls, BaseModel):
            model = cls
    return model


def create_model(opt):
    model = find_model_using_name(opt.model)
    instance = model(opt)
    print("model [%s] was created" % type(instance).__name__)
    return instance
