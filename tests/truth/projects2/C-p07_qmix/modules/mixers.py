import torch as th
import torch.nn as nn
import torch.nn.functional as F


class VDNMixer(nn.Module):
    def forward(self, agent_qs, batch):
        return th.sum(agent_qs, dim=2, keepdim=True)


class QMixer(nn.Module):
    def __init__(self, args):
        super(QMixer, self).__init__()
        self.n_agents = args.n_agents
        self.state_dim = args.state_shape
        self.embed_dim = args.mixing_embed_dim
        h = args.hypernet_embed
        self.hyper_w_1 = nn.Sequential(nn.Linear(self.state_dim, h), nn.ReLU(),
                                       nn.Linear(h, self.embed_dim * self.n_agents))
        self.hyper_w_final = nn.Sequential(nn.Linear(self.state_dim, h), nn.ReLU(), nn.Linear(h, self.embed_dim))
        self.hyper_b_1 = nn.Linear(self.state_dim, self.embed_dim)
        # V(s) instead of a bias for the last layers
        self.V = nn.Sequential(nn.Linear(self.state_dim, self.embed_dim), nn.ReLU(), nn.Linear(self.embed_dim, 1))

    def forward(self, agent_qs, states):
        bs = agent_qs.size(0)
        states = states.reshape(-1, self.state_dim)
        agent_qs = agent_qs.reshape(-1, 1, self.n_agents)
        w1 = th.abs(self.hyper_w_1(states)).view(-1, self.n_agents, self.embed_dim)
        b1 = self.hyper_b_1(states).view(-1, 1, self.embed_dim)
        hidden = F.elu(th.bmm(agent_qs, w1) + b1)
        w_final = th.abs(self.hyper_w_final(states)).view(-1, self.embed_dim, 1)
        v = self.V(states).view(-1, 1, 1)
        y = th.bmm(hidden, w_final) + v
        return y.view(bs, -1, 1)


REGISTRY = {"vdn": lambda args: VDNMixer(), "qmix": QMixer}
