import torch
from torch.utils.data import DataLoader, TensorDataset

from state import State

model = torch.nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for batch, in DataLoader(TensorDataset(torch.rand(64, 8)), batch_size=8):
    state = State(model, batch)
    state.loss.backward()
    optimizer.step()
    state.scale = state.scale * 2
    if state.size > 4 and state.norm > 3:  # sync: tensor-truth
        print(state.loss_value, state.scale.device, state.size)
