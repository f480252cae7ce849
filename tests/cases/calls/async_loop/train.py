import asyncio

import torch
from worker import Actor


async def main():
    actor = Actor(torch.nn.Linear(4, 2).cuda())
    for step in range(1000):
        obs = torch.rand(8, 4, device="cuda")
        action = await actor.act(obs)
        async with actor.lock:
            await actor.learn(obs, action)


asyncio.run(main())
