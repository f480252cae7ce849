from .registry import _model_entrypoints, is_model


def create_model(model_name, pretrained=False, **kwargs):
    if not is_model(model_name):
        raise RuntimeError('Unknown model (%s)' % model_name)
    create_fn = _model_entrypoints[model_name]
    return create_fn(pretrained=pretrained, **kwargs)
