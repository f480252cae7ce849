"""What a loader yields is what its collate function returns."""
import torch
from torch.utils.data import DataLoader

from batches import Molecules, merge, to_dict

device = torch.device("cuda")
model = torch.nn.Linear(16, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
molecules = Molecules("train.pt")
for batch in DataLoader(molecules, batch_size=32, collate_fn=merge):
    batch = batch.to(device)
    print("graphs", batch.names, len(batch.names))
    loss = model(batch.nodes).mean()
    loss.backward()
    optimizer.step()

for batch in DataLoader(molecules, batch_size=32, collate_fn=to_dict, pin_memory=True):
    nodes = batch["nodes"].to(device, non_blocking=True)
    print(batch["name"], batch["count"])
    loss = model(nodes).mean()
    loss.backward()
    optimizer.step()

for batch in DataLoader(molecules, batch_size=32, collate_fn=to_dict):
    loss = model(batch["nodes"].to(device)).mean() / batch["count"]  # sync: copy-to-device
    loss.backward()
    optimizer.step()
