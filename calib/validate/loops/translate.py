"""Translation by nn.Transformer in float32, label smoothing, a padding mask of known size."""
import torch
import torch.nn as nn

device = torch.device("cuda")
batch, source_length, target_length, words, width = 48, 96, 80, 10000, 512


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(words, width), nn.Embedding(words, width)
        self.place = nn.Parameter(torch.zeros(1, 128, width))
        self.body = nn.Transformer(width, 8, 4, 4, 2048, dropout=0.0, batch_first=True)
        self.head = nn.Linear(width, words)
        self.register_buffer("causal", torch.triu(torch.full((target_length, target_length), float("-inf")), 1))

    def forward(self, source, target):
        source = self.source(source) + self.place[:, :source_length]
        target = self.target(target) + self.place[:, :target_length]
        return self.head(self.body(source, target, tgt_mask=self.causal))  # syncl: allow whether the mask is causal is read on the host


model = Translator().to(device)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-6, betas=(0.9, 0.98), eps=1e-9)
pageable = [(torch.randint(0, words, (batch, source_length)), torch.randint(0, words, (batch, target_length + 1)))
            for _ in range(8)]
pinned = [(source.pin_memory(), target.pin_memory()) for source, target in pageable]
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        source, target = pinned[step % 8]
        source = source.to(device, non_blocking=True)  #- upload
        #+ upload: source = pageable[step % 8][0].to(device)
        target = target.to(device, non_blocking=True)
        optimizer.zero_grad()
        logits = model(source, target[:, :-1])
        wanted = target[:, 1:].reshape(-1)
        loss = criterion(logits.reshape(-1, words), wanted)
        #+ item-forward: seen.append(loss.item())
        #+ rare: rare = logits.detach().view(-1, words)[wanted < 100].mean()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        right = (logits.argmax(2).view(-1) == wanted).float().mean()
        #+ item-end: seen.append(loss.item())
        #+ both: seen.append((loss.item(), right.item()))
        #+ tolist: last = logits[0].argmax(1).tolist()
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: seen.append(right.item())


if __name__ == "__main__":
    train(1000)
