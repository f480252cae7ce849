"""Energies of molecules, and the forces as their gradient: atoms within a cutoff are neighbors, and who they are follows from the positions."""
import math

import torch
import torch.nn as nn

MOLECULES, ATOMS = 96, 40
HIDDEN, FILTERS, INTERACTIONS, GAUSSIANS, CUTOFF = 192, 192, 4, 50, 6.0
device = "cuda" if torch.cuda.is_available() else "cpu"


class ShiftedSoftplus(nn.Module):
    def forward(self, x):
        return nn.functional.softplus(x) - math.log(2.0)


class GaussianSmearing(nn.Module):
    def __init__(self, stop=CUTOFF, count=GAUSSIANS):
        super().__init__()
        offset = torch.linspace(0, stop, count)
        self.coeff = -0.5 / (stop / (count - 1)) ** 2
        self.register_buffer("offset", offset)

    def forward(self, distance):
        return torch.exp(self.coeff * (distance[:, None] - self.offset[None]) ** 2)


class Interaction(nn.Module):
    def __init__(self):
        super().__init__()
        self.filter = nn.Sequential(nn.Linear(GAUSSIANS, FILTERS), ShiftedSoftplus(), nn.Linear(FILTERS, FILTERS))
        self.lin1 = nn.Linear(HIDDEN, FILTERS, bias=False)
        self.lin2 = nn.Linear(FILTERS, HIDDEN)
        self.act = ShiftedSoftplus()
        self.lin = nn.Linear(HIDDEN, HIDDEN)

    def forward(self, h, source, target, distance, smeared):
        envelope = 0.5 * (torch.cos(distance * math.pi / CUTOFF) + 1.0)
        weight = self.filter(smeared) * envelope[:, None]
        message = self.lin1(h)[source] * weight
        gathered = message.new_zeros(h.shape[0], FILTERS).index_add(0, target, message)
        return h + self.lin(self.act(self.lin2(gathered)))


class SchNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(100, HIDDEN, padding_idx=0)
        self.smearing = GaussianSmearing()
        self.interactions = nn.ModuleList([Interaction() for _ in range(INTERACTIONS)])
        self.readout = nn.Sequential(nn.Linear(HIDDEN, HIDDEN // 2), ShiftedSoftplus(), nn.Linear(HIDDEN // 2, 1))

    def forward(self, numbers, positions, source, target):
        flat = positions.reshape(-1, 3)
        distance = (flat[target] - flat[source]).pow(2).sum(-1).sqrt()
        smeared = self.smearing(distance)
        h = self.embedding(numbers.reshape(-1))
        for interaction in self.interactions:
            h = interaction(h, source, target, distance, smeared)
        return self.readout(h).view(numbers.shape).sum(1)


def neighbors(positions):
    """Pairs of atoms of one molecule that are closer than the cutoff."""
    distance = torch.cdist(positions, positions)
    close = (distance < CUTOFF) & (distance > 0.1)
    molecule, i, j = torch.nonzero(close, as_tuple=True)  # syncl: allow the number of edges follows from the positions
    return molecule * ATOMS + j, molecule * ATOMS + i


numbers = [torch.randint(1, 10, (MOLECULES, ATOMS), device=device) for _ in range(5)]
geometry = [torch.randn(MOLECULES, ATOMS, 3, device=device) * 3.5 for _ in range(5)]
energies = [torch.randn(MOLECULES, device=device) for _ in range(5)]
forces = [torch.randn(MOLECULES, ATOMS, 3, device=device) for _ in range(5)]
model = SchNet().to(device)
shadow = [p.detach().clone() for p in model.parameters()]
optimizer = torch.optim.Adam(model.parameters(), lr=1e-5, amsgrad=True)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.99, patience=1_000_000)
energy_errors, force_errors, edge_counts = [], [], []


def update_shadow():
    with torch.no_grad():
        for average, parameter in zip(shadow, model.parameters()):
            average.lerp_(parameter, 0.001)


def train(steps):
    model.train()
    for step in range(steps):
        positions = geometry[step % 5].detach().requires_grad_(True)
        source, target = neighbors(positions.detach())
        energy = model(numbers[step % 5], positions, source, target)
        force = -torch.autograd.grad(energy.sum(), positions, create_graph=True)[0]
        #+ item-force: force_errors.append((force.detach() - forces[step % 5]).abs().mean().item())
        energy_loss = nn.functional.mse_loss(energy, energies[step % 5])
        force_loss = nn.functional.mse_loss(force, forces[step % 5])
        loss = 0.01 * energy_loss + 0.99 * force_loss
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: force_errors.append(force_loss.item())
        optimizer.step()
        #+ before-average: force_errors.append(force_loss.item())
        update_shadow()
        #+ plateau: plateau.step(loss.detach())
        #+ isolated: isolated = (torch.bincount(target, minlength=MOLECULES * ATOMS) == 0).sum()
        #+ worst: worst = (force - forces[step % 5]).detach().norm(dim=-1).max().item()
        #+ predicted: predicted = force.detach().cpu()
        #+ print: print("energy", energy_loss.detach(), "force", force_loss.detach())


if __name__ == "__main__":
    train(120)
