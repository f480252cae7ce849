import pkg
import pkg.c as c
from . import a


class Derived(a.Base):
    def run(self, t):
        return super().run(t) + c.helper_c(t)


def helper_b(t, n=2):
    return a.helper_a(t, n)
