"""The old default tensor type by its name, set at the end of a script: what is drawn in its functions is on the GPU."""
import torch


def raw2outputs(raw, z_vals, rays_d):
    dists = z_vals[..., 1:] - z_vals[..., :-1]
    alpha = 1.0 - torch.exp(-torch.relu(raw[..., 1:]) * dists)
    return (alpha * torch.norm(rays_d[..., None, :], dim=-1)).sum(-1)


def train():
    weight = torch.randn(9, requires_grad=True)
    optimizer = torch.optim.Adam([weight], lr=5e-4)
    for i in range(1000):
        z_vals = torch.rand(1024, 9)
        rgb = raw2outputs(z_vals * weight, z_vals, torch.rand(1024, 3))
        loss = torch.mean((rgb - torch.rand(1024)) ** 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"[TRAIN] Iter: {i} Loss: {loss.item()}")  # sync: host-read


if __name__ == "__main__":
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
    train()
