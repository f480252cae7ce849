import asyncio

import torch


class Actor:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.lock = asyncio.Lock()

    async def act(self, obs):
        return self.net(obs).argmax(-1).cpu()  # sync: copy-to-host

    async def learn(self, obs, action):
        loss = self.net(obs).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        if loss > 3:  # sync: tensor-truth
            print("high")
