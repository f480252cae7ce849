"""opacus: a network of each kind of layer trained with differential privacy."""
import torch
from opacus import PrivacyEngine
from opacus.layers import DPLSTM, DPMultiheadAttention
from opacus.utils.batch_memory_manager import BatchMemoryManager
from opacus.validators import ModuleValidator

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _train(model, x, y, epochs=2, physical=None, **options):
    model = ModuleValidator.fix(model).to(device)
    ModuleValidator.validate(model, strict=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=16)
    engine = PrivacyEngine(accountant=options.pop("accountant", "prv"))
    criterion = torch.nn.CrossEntropyLoss()
    made = engine.make_private(module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=options.pop("max_grad_norm", 1.0),
                               **({"criterion": criterion} if "ghost" in options.get("grad_sample_mode", "") else {}), **options)
    if len(made) == 4:
        model, optimizer, criterion, loader = made
    else:
        model, optimizer, loader = made
    for epoch in range(epochs):
        losses, right = [], []
        for data, target in loader:
            data, target = data.to(device), target.to(device)
            optimizer.zero_grad()
            output = model(data)
            loss = criterion(output, target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            right.append((output.argmax(1) == target).float().mean().item() if len(data) else 0)
        print(epoch, sum(losses) / len(losses), sum(right) / len(right), engine.get_epsilon(1e-5))
    if physical:
        with BatchMemoryManager(data_loader=loader, max_physical_batch_size=physical, optimizer=optimizer) as small:
            for data, target in small:
                optimizer.zero_grad()
                criterion(model(data.to(device)), target.to(device)).backward()
                optimizer.step()


class Text(torch.nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.words = torch.nn.Embedding(50, 16)
        self.body = DPMultiheadAttention(16, 2) if attention else DPLSTM(16, 16, batch_first=True)
        self.attention, self.norm, self.head = attention, torch.nn.LayerNorm(16), torch.nn.Linear(16, 4)

    def forward(self, x):
        x = self.words(x)
        x = self.body(x, x, x)[0] if self.attention else self.body(x)[0]
        return self.head(self.norm(x).mean(1))


def pictures():
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, stride=2), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.Conv2d(8, 8, 3, groups=2), torch.nn.InstanceNorm2d(8, affine=True), torch.nn.Flatten(), torch.nn.Linear(8 * 25, 4))
    _train(net, torch.randn(96, 3, 16, 16), torch.randint(0, 4, (96,)), physical=4)


def each_layer():
    _train(torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)), torch.randn(96, 16), torch.randint(0, 4, (96,)), clipping="per_layer", max_grad_norm=[1.0] * 4)


def adaptive():
    _train(torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)), torch.randn(96, 16), torch.randint(0, 4, (96,)), clipping="adaptive", accountant="rdp", target_unclipped_quantile=0.5,
           clipbound_learning_rate=0.2, max_clipbound=1e8, min_clipbound=1e-8, unclipped_num_std=1.0)


def ghost():
    _train(torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)), torch.randn(96, 16), torch.randint(0, 4, (96,)), grad_sample_mode="ghost")


def functional():
    _train(torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)), torch.randn(96, 16), torch.randint(0, 4, (96,)), grad_sample_mode="functorch", accountant="gdp")


def recurrent():
    _train(Text(False), torch.randint(0, 50, (64, 10)), torch.randint(0, 4, (64,)))


def attention():
    _train(Text(True), torch.randint(0, 50, (64, 10)), torch.randint(0, 4, (64,)))


if __name__ == "__main__":
    for work in (pictures, each_layer, adaptive, ghost, functional, recurrent, attention):
        work()
