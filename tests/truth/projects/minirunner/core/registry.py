import inspect


class Registry(object):
    """A registry to map strings to classes."""

    def __init__(self, name):
        self._name = name
        self._module_dict = dict()

    def __repr__(self):
        return '{}(name={}, items={})'.format(
            self.__class__.__name__, self._name, list(self._module_dict.keys()))

    @property
    def name(self):
        return self._name

    def get(self, key):
        return self._module_dict.get(key, None)

    def register_module(self, cls=None, name=None):
        def _register(c):
            if not inspect.isclass(c):
                raise TypeError('module must be a class, but got {}'.format(type(c)))
            key = name or c.__name__
            if key in self._module_dict:
                raise KeyError('{} is already registered in {}'.format(key, self.name))
            self._module_dict[key] = c
            return c

        if cls is not None:
            return _register(cls)
        return _register


def build_from_cfg(cfg, registry, default_args=None):
    assert isinstance(cfg, dict) and 'type' in cfg
    args = dict(cfg)
    obj_type = args.pop('type')
    if isinstance(obj_type, str):
        obj_cls = registry.get(obj_type)
        if obj_cls is None:
            raise KeyError('{} is not in the {} registry'.format(obj_type, registry.name))
    else:
        obj_cls = obj_type
    if default_args is not None:
        for k, v in default_args.items():
            args.setdefault(k, v)
    return obj_cls(**args)
