"""What a model that nobody sees answers is no tensor."""
import torch
import registry

device = torch.device("cuda")
model = registry.build("policy").to(device)
recurrent = model.is_recurrent()
for step in range(100):
    if recurrent or model.has_memory():
        model.train()
    x = torch.rand(4, 8, device=device)
    if x.is_floating_point():
        x = x * 2
