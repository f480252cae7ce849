"""The groups of an optimizer's state hold numbers, its state tensors."""
import torch

model = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(100):
    optimizer.zero_grad()
    model(torch.ones(4, 8, device="cuda")).sum().backward()
    optimizer.step()
    print({"rate": optimizer.state_dict()["param_groups"][0]["lr"]})
    for kept in optimizer.state_dict()["state"].values():
        print(kept["exp_avg"])  # sync: print-tensor
