import torch


class Hook:
    def before_run(self, runner):
        pass

    def after_train_iter(self, runner, outputs=None):
        pass


class OptimizerHook(Hook):
    def __init__(self, grad_clip=None):
        self.grad_clip = grad_clip

    def after_train_iter(self, runner, outputs=None):
        runner.optimizer.zero_grad()
        outputs["loss"].backward()
        if self.grad_clip:
            norm = torch.nn.utils.clip_grad_norm_(runner.model.parameters(), **self.grad_clip)
            runner.norms.append(float(norm))  # sync: host-read
        runner.optimizer.step()


class CheckNaN(Hook):
    def after_train_iter(self, runner, outputs=None):
        assert torch.isfinite(outputs["loss"]), "loss became infinite"  # sync: tensor-truth
