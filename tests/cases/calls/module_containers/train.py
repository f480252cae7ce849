import torch
from nets import Moe


def main():
    model = Moe(16, 4).cuda()
    opt = torch.optim.AdamW(model.parameters())
    for _ in range(1000):
        x = torch.randn(64, 16, device="cuda")
        loss = model(x).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
