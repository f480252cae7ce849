"""What a loop keeps is in part on the CPU and in part on the GPU: certain is no copy of it, that of a batch is."""
import torch


def forward(slices, batch):
    kept = [batch.cuda().relu()]  # sync: copy-to-device certain
    for index, part in enumerate(slices):
        outputs = [torch.relu(part.weight * given) for given in kept]
        kept[index] = kept[index].cpu()  # sync: copy-to-host likely
        kept.append(torch.cat(outputs))
    return kept[-1]


def train(slices, loader, optimizer):
    for batch in loader:
        loss = forward(slices, batch).mean()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    slices = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)]).cuda()
    loader = torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8)
    train(slices, loader, torch.optim.SGD(slices.parameters(), lr=0.1))
