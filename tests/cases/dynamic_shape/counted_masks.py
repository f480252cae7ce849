"""What is counted or computed out of a mask holds whole numbers: what is read by those has the size that they have."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader


class LastToken(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x, tokens, pad):
        y = self.layer(x)
        used = tokens != pad
        rows = torch.arange(y.shape[0], device=y.device)
        last = y[rows, used.sum(dim=1) - 1]
        first = y[rows, torch.sum(used, 1) * 2 % 5]
        running = y[rows[:, None], used.cumsum(dim=1) - 1]
        places = torch.cumsum(used, 1) * used
        spread = y[rows[:, None], places]
        both = y[used * (tokens > 3)]  # sync: dynamic-shape
        either = y[used + (tokens > 9)]  # sync: dynamic-shape
        chosen = y[rows[:, None], used * tokens]
        middle = running.mean(dim=1) + spread.mean(dim=1) + chosen.mean(dim=1)
        return self.head(last + first + middle + both.mean(dim=0) + either.mean(dim=0))


@torch.no_grad()
def sample(model, prompts, length, pad):
    rows = torch.arange(prompts.shape[0], device=prompts.device)[..., None]
    places = (prompts != pad).sum(dim=-1)[..., None]
    out = prompts.clone()
    while (places < length).any():  # sync: tensor-truth
        out = F.pad(out, (0, 1), value=pad)
        logits = model(out.masked_fill(out == pad, 0))
        out[rows, places] = logits[rows, places].argmax(dim=-1)
        places = places + 1
    return out


def train(dataset, writer_model, epochs=3):
    model = LastToken(64, 10).cuda()
    writer_model = writer_model.cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    loader = DataLoader(dataset, batch_size=32, pin_memory=True)
    for _ in range(epochs):
        for x, tokens, target in loader:
            x = x.cuda(non_blocking=True)
            tokens = tokens.cuda(non_blocking=True)
            target = target.cuda(non_blocking=True)
            written = sample(writer_model, tokens, 20, 0)
            loss = F.cross_entropy(model(x, tokens, 0), target) + written.sum() * 0
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


train(torch.load("tokens.pt"), torch.load("writer.pt"))
