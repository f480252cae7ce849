import torch.nn as nn
import torch.nn.functional as F


class FeatureTap:
    """Collects the outputs of named sub-modules with forward hooks."""

    def __init__(self, model: nn.Module, names):
        self.out = {}
        self._handles = []
        mods = dict(model.named_modules())
        for n in names:
            self._handles.append(mods[n].register_forward_hook(self._save(n)))

    def _save(self, name):
        def hook(_module, _inp, out):
            self.out[name] = out
        return hook

    def close(self):
        for h in self._handles:
            h.remove()
        self.out.clear()


def attention_map(f):
    return F.normalize(f.pow(2).mean(1).flatten(1), dim=1)


class DistillLoss(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.T, self.alpha, self.at = cfg.temperature, cfg.alpha, cfg.at_weight

    def forward(self, s_logits, t_logits, target, s_feats=None, t_feats=None):
        hard = F.cross_entropy(s_logits, target)
        soft = F.kl_div(F.log_softmax(s_logits / self.T, 1), F.log_softmax(t_logits / self.T, 1),
                        reduction="batchmean", log_target=True) * self.T ** 2
        at = s_logits.new_zeros(())
        if self.at > 0 and s_feats:
            for k in s_feats:
                at = at + (attention_map(s_feats[k]) - attention_map(t_feats[k])).pow(2).mean()
        loss = (1 - self.alpha) * hard + self.alpha * soft + self.at * at
        return loss, {"hard": hard.detach(), "soft": soft.detach(), "at": at.detach()}
