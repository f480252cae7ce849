#!/usr/bin/env python3
"""What `make lint` refuses, on sources that have it."""
import sys

from bench import *

sys.path.insert(0, str(ROOT / "tests" / "lint"))
import vectors


def test_a_call_in_the_index_of_a_vector():
    for refused in ("x = self->locals.items[bind(self) - 1];", "Local *at = &v.items[v.items[find(v)].next];",
                    "List *from = v.items + first(v);", "v->items[i].length = length_of(v);",
                    "v.items[v.items[i].next] |=\n    is_long(v);", "v.items[/* [ */ at(v)] = 1;"):
        same(vectors.moved("int a;\n" + refused), [2], refused)
    for allowed in ("uint32_t at = find(v);\nx = v.items[at];", "x = f(v.items[i].next, g(v));", "v.items[i].path = text_of(name);",
                    "if (v.items[i] == next(v)) x = f(v);", "x = v.items[i /* of f(v) */].next + sizeof (x);",
                    "const List *from = v.items + first;", 'v.items[i].text = "f(x)";'):
        same(vectors.moved(allowed), [], allowed)


if __name__ == "__main__":
    main(sys.modules[__name__])
