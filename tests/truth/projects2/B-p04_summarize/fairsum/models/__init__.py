ARCH_REGISTRY = {}


def register_model_architecture(name):
    def wrapper(fn):
        ARCH_REGISTRY[name] = fn
        return fn
    return wrapper


def build_model(args, dictionary):
    return ARCH_REGISTRY[args.arch](args, dictionary)


from . import transformer  # noqa
