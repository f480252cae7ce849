# options: --min-confidence possible
"""Unit tests: each runs once, collected by pytest; what they read back is no training step's business."""
import pytest
import torch
from torch import nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * self.weight


def close(a, b):
    return torch.allclose(a, b, atol=1e-5)


def check_all(pairs):
    for a, b in pairs:
        assert close(a, b), (a - b).abs().max().item()


@pytest.fixture
def layer():
    return Scale(8).to(DEVICE)


def test_identity(layer):
    x = torch.randn(4, 8, device=DEVICE)
    assert (layer(x) == x).all()
    for row, out in zip(x, layer(x)):
        assert torch.equal(row, out)


def test_gradient(layer):
    x = torch.randn(4, 8, device=DEVICE)
    for _ in range(3):
        layer(x).sum().backward()
        assert layer.weight.grad.abs().sum().item() > 0
    check_all([(layer.weight.grad, 3 * x.sum(0)), (layer.weight.data, torch.ones(8, device=DEVICE))])


@pytest.mark.parametrize("width", [1, 8, 33])
def test_shapes(width):
    layer = Scale(width).to(DEVICE)
    for n in (1, 2, 5):
        out = layer(torch.randn(n, width, device=DEVICE))
        assert out.shape == (n, width)
        assert torch.isfinite(out).all()


class TestTraining:
    def test_loss_falls(self):
        model = nn.Linear(4, 1).to(DEVICE)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        x = torch.randn(64, 4, device=DEVICE)
        losses = []
        for _ in range(20):
            loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        assert losses[-1] < losses[0]
