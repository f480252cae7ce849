"""x.to(device, dtype=...): the place comes first and the type by name, so the call is of the overload that moves."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

device = torch.device("cuda")


def parity(reference: torch.Tensor, exported) -> float:
    return float(abs(reference.detach().cpu().numpy() - exported.run(reference.numpy())).max())  # spurious: host-read


def train(model, dataset, optimizer, exported):
    model.to(device)
    seen = torch.zeros((), device=device)
    for images, labels in DataLoader(dataset, batch_size=8):
        images = images.to(device, dtype=torch.float32)  # sync: copy-to-device
        labels = labels.to(device=device, dtype=torch.long)  # sync: copy-to-device
        loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += images.shape[0]
        if (labels < 0).any():  # sync: tensor-truth
            continue
        kept = images.detach().to("cpu", dtype=torch.float64)  # sync: copy-to-host
        print(kept.mean().item(), parity(kept, exported))
