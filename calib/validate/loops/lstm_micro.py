"""A language model of two LSTM layers, four micro-batches a step."""
import torch
import torch.nn as nn

device = torch.device("cuda")
batch, length, width, words, micro = 32, 64, 512, 4096, 4


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, num_layers=2, batch_first=True, dropout=0.1)
        self.head = nn.Linear(width, words)

    def forward(self, tokens, state=None):
        out, state = self.lstm(self.embedding(tokens), state)
        return self.head(out), state


model = Words().to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9)
pinned = [torch.randint(0, words, (batch, length + 1)).pin_memory() for _ in range(8)]
pageable = [torch.randint(0, words, (batch, length + 1)) for _ in range(8)]
seen = []


def train(steps):
    model.train()
    total = 0
    for step in range(steps):
        optimizer.zero_grad()
        for i in range(micro):
            tokens = pinned[(step + i) % 8].to(device, non_blocking=True)  #- upload
            #+ upload: tokens = pageable[(step + i) % 8].to(device)
            logits, _ = model(tokens[:, :-1])
            loss = criterion(logits.reshape(-1, words), tokens[:, 1:].reshape(-1)) / micro
            loss.backward()
            #+ item-micro: total += loss.item()
            #+ count: seen.append((tokens == 0).sum().item())
        #+ item-backward: seen.append(loss.item())
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        #+ norm: if norm > 1e6: seen.append("exploded")
        optimizer.step()
        #+ item-end: seen.append(loss.item())
        #+ synchronize: torch.cuda.synchronize()
        #+ print: print("loss", loss.detach())
        #+ three: seen.append((loss.item(), norm.item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())
    return total


if __name__ == "__main__":
    train(1000)
