"""`self.to(device)` in a constructor: whoever makes the module has it there."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Critic(nn.Module):
    def __init__(self, dim, device="cuda:0"):
        super().__init__()
        self.fc1 = nn.Linear(dim, 256)
        self.q = nn.Linear(256, 1)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=1e-3)
        self.device = torch.device(device if torch.cuda.is_available() else "cpu")
        self.to(self.device)

    def forward(self, x):
        return self.q(F.relu(self.fc1(x)))

    def save_checkpoint(self):
        torch.save(self.state_dict(), "critic.pt")  # sync: copy-to-host


class Wrapped(nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.G = nn.Linear(4, 4)
        self.cuda(rank)


class Agent:
    def __init__(self):
        self.critic = Critic(8)
        self.gan = Wrapped(0)

    def weights(self):
        return [p.mean().item() for p in self.critic.parameters()]  # sync: host-read

    def save(self):
        data = {"a": self.gan.state_dict()}
        torch.save(data, "x.pt")  # sync: copy-to-host


agent = Agent()
for i in range(100):
    x = torch.randn(4, 8).to(agent.critic.device)  # sync: copy-to-device
    v = agent.critic(x)
    print(v.mean().item())  # sync: host-read
    agent.weights()
    agent.critic.save_checkpoint()
    agent.save()
