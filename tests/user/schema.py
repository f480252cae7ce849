"""As much of JSON Schema as packaging/manual/report.schema.json uses, and stricter: a key that the schema does not name is an error,
so that none is added without a word in it."""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float), "integer": int}
KNOWN = {"$ref", "$schema", "$defs", "title", "description", "type", "required", "properties", "items", "enum", "const", "pattern", "minimum", "anyOf", "oneOf"}


def is_of(value, name):
    return isinstance(value, TYPES[name]) and (not isinstance(value, bool) or name == "boolean")


def resolve(root, reference):
    for part in reference.removeprefix("#/").split("/"):
        root = root[part]
    return root


def errors(value, schema, root, at="$"):
    """Where `value` does not fit, a line each."""
    assert set(schema) <= KNOWN, f"{at}: this validator does not know {sorted(set(schema) - KNOWN)}"
    if "$ref" in schema:
        yield from errors(value, resolve(root, schema["$ref"]), root, at)
    for how in {"anyOf", "oneOf"} & set(schema):
        tried = [list(errors(value, one, root, at)) for one in schema[how]]
        fitting = sum(not wrong for wrong in tried)
        if not fitting or how == "oneOf" and fitting != 1:
            yield f"{at}: fits {fitting} of {how}: {min(tried, key=len)[:3]}"
    types = schema.get("type", [])
    if types and not any(is_of(value, name) for name in ([types] if isinstance(types, str) else types)):
        yield f"{at}: {value!r:.60} is no {types}"
        return
    yield from plain_errors(value, schema, at)
    if isinstance(value, dict) and "properties" in schema:
        yield from (f"{at}.{key} is missing" for key in schema.get("required", []) if key not in value)
        for key, inner in value.items():
            if key not in schema["properties"]:
                yield f"{at}.{key} is not in the schema"
            else:
                yield from errors(inner, schema["properties"][key], root, f"{at}.{key}")
    if isinstance(value, list) and "items" in schema:
        for index, inner in enumerate(value):
            yield from errors(inner, schema["items"], root, f"{at}[{index}]")


def plain_errors(value, schema, at):
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r:.60} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r:.60} is none of {schema['enum']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{at}: {value!r:.60} does not match {schema['pattern']}"
    if "minimum" in schema and is_of(value, "number") and value < schema["minimum"]:
        yield f"{at}: {value} is below {schema['minimum']}"


def keys(schema, root, at="$"):
    """(place, what may stand there) of every key, references followed."""
    if "$ref" in schema:
        yield from keys(resolve(root, schema["$ref"]), root, at)
    if {"type", "enum", "const"} & set(schema):
        allowed = schema.get("enum", [schema["const"]] if "const" in schema else schema.get("type"))
        yield at, " ".join(map(str, allowed)) if isinstance(allowed, list) else allowed
    for one in schema.get("anyOf", []) + schema.get("oneOf", []):
        yield from keys(one, root, at)
    for key, inner in schema.get("properties", {}).items():
        yield from keys(inner, root, f"{at}.{key}")
        if key in schema.get("required", []):
            yield f"{at}.{key}", "always"
    if "items" in schema:
        yield from keys(schema["items"], root, at + "[]")
