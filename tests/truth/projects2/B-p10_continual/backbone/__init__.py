import torch
import torch.nn as nn


def xavier(m: nn.Module) -> None:
    if m.__class__.__name__ == 'Linear':
        nn.init.xavier_uniform_(m.weight.data)
        if m.bias is not None:
            m.bias.data.fill_(0)


class Backbone(nn.Module):
    """Adds flat access to parameters and gradients."""

    def get_params(self) -> torch.Tensor:
        return torch.cat([p.view(-1) for p in self.parameters()])

    def set_params(self, new_params: torch.Tensor) -> None:
        progress = 0
        for pp in list(self.parameters()):
            cand = new_params[progress: progress + pp.numel()].view(pp.size())
            progress += pp.numel()
            pp.data = cand

    def get_grads(self) -> torch.Tensor:
        return torch.cat([p.grad.view(-1) for p in self.parameters()])


class SmallConv(Backbone):
    def __init__(self, in_ch: int, num_classes: int, nf: int = 32) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(in_ch, nf, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(nf, nf * 2, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(nf * 2 * 16, 128), nn.ReLU())
        self.classifier = nn.Linear(128, num_classes)
        self.apply(xavier)

    def forward(self, x, returnt='out'):
        feats = self.features(x)
        if returnt == 'features':
            return feats
        out = self.classifier(feats)
        return out if returnt == 'out' else (out, feats)
