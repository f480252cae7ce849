#!/usr/bin/env python3
"""What lint refuses as knowledge in C: the names of rules and of packages."""
import pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lint"))
import knowledge
from bench import *

RULES, PACKAGES = knowledge.names()


def refused(code):
    return list(knowledge.wrong(code, RULES, PACKAGES))


def test_lint_refuses_the_name_of_a_rule_in_c():
    same(refused('static bool is_read(Text rule) { return text_is(rule, "host-read"); }\n'), ["host-read"])
    same(refused('/* as "host-read" does */ f("reads"); // "host-read"\n'), [])


def test_lint_refuses_the_name_of_a_package_in_c():
    same(refused('f("transformers"), f("numba.*"), f("torch.Tensor.item"), f("torchmetrics");\n'),
         ["transformers", "numba.*", "torch.Tensor.item", "torchmetrics"])
    same(refused('#include "numpy.h"\nf("range"), f("builtins"), f("os.environ"), f("a torch tensor");\n'), [])


main(sys.modules[__name__])
