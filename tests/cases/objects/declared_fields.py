"""What a field is declared as says what it holds where nothing in sight is given to it."""
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset


@dataclass(frozen=True)
class Recipe:
    colours: Tensor
    blob: Tensor  # x, y, radius


@dataclass
class Named(Recipe):
    label: int = 0


def sample_recipe(g: torch.Generator) -> Recipe:
    return Recipe(colours=torch.randn(3, generator=g), blob=torch.rand(3, generator=g) * 0.5)


def render(recipe: Recipe, size: int):
    x, y, radius = recipe.blob.tolist()
    return torch.ones(size, size) * x + recipe.colours.sum().item()


class Textures(Dataset):
    def __init__(self, classes: int, each: int):
        g = torch.Generator().manual_seed(3)
        recipes = [sample_recipe(g) for _ in range(classes)]
        self.images = torch.stack([render(r, 16) for r in recipes for _ in range(each)])
        self.named = [Named(torch.randn(3), torch.rand(3), label=i) for i in range(classes)]

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], self.named[i % 4].blob.max().item()


@dataclass
class Batch:
    x: Tensor
    where: Tensor
    count: int
    weights: Tensor | None = None

    @classmethod
    def collate(cls, rows):
        return cls(x=torch.stack([row[0] for row in rows]), where=torch.arange(len(rows)), count=len(rows))

    def to(self, device):
        moved = {k: v.to(device) if torch.is_tensor(v) else v for k, v in vars(self).items()}  # sync: copy-to-device
        return Batch(**moved)


class Unseen:
    """Nobody in sight makes one."""

    logits: Tensor


def train(model: torch.nn.Module, optimizer, loader, recipes):
    for i, batch in enumerate(loader):
        render(recipes[i % 4], 16)
        batch = batch.to("cuda")
        loss = model(batch.x).mean() + torch.zeros(batch.count, device="cuda").sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(batch.where.float().mean().item())  # sync: host-read
        if batch.count > 3:
            continue


def read(outputs: Unseen, steps: int):
    for _ in range(steps):
        value = outputs.logits.argmax().item()  # sync: host-read likely
    return value


if __name__ == "__main__":
    model = torch.nn.Linear(16, 2).cuda()
    loader = DataLoader(Textures(4, 8), batch_size=8, collate_fn=Batch.collate)
    g = torch.Generator().manual_seed(4)
    train(model, torch.optim.SGD(model.parameters()), loader, [sample_recipe(g) for _ in range(4)])

__all__ = ["read"]
