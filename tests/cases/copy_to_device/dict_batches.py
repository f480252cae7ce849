"""A batch that is a dict, moved by a comprehension."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Tokens(Dataset):
    def __len__(self):
        return 512

    def __getitem__(self, i):
        ids = torch.randint(0, 100, (16,))
        return {"input_ids": ids, "labels": ids.clone(), "length": ids.numel()}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(100, 32)
        self.head = nn.Linear(32, 100)

    def forward(self, input_ids):
        return self.head(self.emb(input_ids))


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loader = DataLoader(Tokens(), batch_size=8)
    for batch in loader:
        batch = {k: v.to(device) for k, v in batch.items()}  # sync: copy-to-device
        logits = model(batch["input_ids"])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


main()
