from .. import Wrapper


class TimeLimit(Wrapper):
    pass


class Monitor(Wrapper):
    pass
