"""A stand-in for pydantic: models whose fields are validated in order by the class's own validators."""


class ValidationError(ValueError):
    def errors(self):
        return [{"msg": str(self)}]


class ConfigDict(dict):
    pass


def field_validator(*names, mode="after"):
    def mark(method):
        getattr(method, "__func__", method).of_fields = names
        return method
    return mark


def model_validator(mode="after"):
    def mark(method):
        method.of_model = mode
        return method
    return mark


class BaseModel:
    def __init__(self, **values):
        names, before, after = [], {}, []
        for owner in reversed(type(self).__mro__):
            names += [name for name in owner.__dict__.get("__annotations__", {}) if name not in names and name != "model_config"]
            for key, method in list(owner.__dict__.items()):
                inner = getattr(method, "__func__", method)
                for name in getattr(inner, "of_fields", ()):
                    before[name] = key
                if getattr(inner, "of_model", None) == "after":
                    after.append(key)
        for name in names:
            if name not in values:
                if not hasattr(type(self), name):
                    raise ValidationError(f"{name}: field required")
                setattr(self, name, getattr(type(self), name))
                continue
            value = values[name]
            if name in before:
                value = getattr(type(self), before[name])(value)
            setattr(self, name, value)
        for key in after:
            getattr(self, key)()
