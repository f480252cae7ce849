import time


class HookBase:
    trainer = None

    def before_train(self):
        pass

    def after_train(self):
        pass

    def before_step(self):
        pass

    def after_step(self):
        pass


class PeriodicWriter(HookBase):
    def __init__(self, writers, period=20):
        self._writers = writers
        self._period = period

    def after_step(self):
        if (self.trainer.iter + 1) % self._period == 0 or self.trainer.iter == self.trainer.max_iter - 1:
            for writer in self._writers:
                writer.write(self.trainer.storage)


class EvalHook(HookBase):
    def __init__(self, eval_period, eval_function):
        self._period = eval_period
        self._func = eval_function

    def _do_eval(self):
        results = self._func()
        if results:
            self.trainer.storage["AP"] = results["AP"]

    def after_step(self):
        next_iter = self.trainer.iter + 1
        if self._period > 0 and next_iter % self._period == 0:
            self._do_eval()


class IterTimer(HookBase):
    def before_step(self):
        self._start = time.perf_counter()

    def after_step(self):
        sec = time.perf_counter() - self._start
        self.trainer.storage["time"] = sec
