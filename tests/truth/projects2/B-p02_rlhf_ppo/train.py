import copy
import logging
import random

import numpy as np
import torch
import torch.nn.functional as F

from rlhf import get_config
from rlhf.models import GPT, ActorCritic, RewardModel
from rlhf.ppo import PPOTrainer
from rlhf.task import EOS, PAD, World, cut, human_score

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("rlhf")


def train_sft(cfg, gpt, world):
    opt = torch.optim.AdamW(gpt.parameters(), lr=cfg.sft.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.sft.lr, total_steps=cfg.sft.steps)
    gpt.train()
    total = 0
    for step in range(cfg.sft.steps):
        x = world.sft_batch(cfg.sft.batch_size, 32, cfg.device)
        logits = gpt(x[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), x[:, 1:].reshape(-1), ignore_index=PAD)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
        opt.step()
        sched.step()
        total += loss.item()
        if (step + 1) % 10 == 0:
            log.info("sft %d loss %.4f", step + 1, total / 10)
            total = 0


def train_reward(cfg, rm, world):
    opt = torch.optim.AdamW(rm.parameters(), lr=cfg.reward.lr)
    rm.train()
    correct, seen = 0, 0
    for step in range(cfg.reward.steps):
        c, cl, r, rl = world.preference_batch(cfg.reward.batch_size, 32, cfg.device)
        sc, sr = rm(torch.cat([c, r]), torch.cat([cl, rl])).chunk(2)
        loss = -F.logsigmoid(sc - sr).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        correct += (sc > sr).sum().item()
        seen += len(c)
        if (step + 1) % 10 == 0:
            log.info("rm %d loss %.4f acc %.3f", step + 1, loss.item(), correct / seen)
            correct, seen = 0, 0

    # normalise so that the scores on human text have mean 0
    rm.eval()
    with torch.no_grad():
        c, cl, r, rl = world.preference_batch(128, 32, cfg.device)
        s = torch.cat([rm(c, cl), rm(r, rl)])
        rm.head.bias -= s.mean()
    log.info("rm std %.3f", s.std().item())


def show(policy, cfg, world, n=3):
    policy.eval()
    q = world.prompts(n, cfg.ppo.prompt_len, cfg.device)
    out = policy.generate(q, cfg.ppo.gen_len, temperature=0.7, eos_id=EOS)
    for row in out:
        toks = cut(row.tolist())
        log.info("%s >> %s (%.2f)", toks[:cfg.ppo.prompt_len], toks[cfg.ppo.prompt_len:], human_score(toks))


def main():
    cfg = get_config()
    if not torch.cuda.is_available():
        cfg.device = "cpu"
    random.seed(cfg.seed)
    np.random.seed(cfg.seed)
    torch.manual_seed(cfg.seed)
    torch.cuda.manual_seed_all(cfg.seed)

    world = World(cfg.model.vocab_size, cfg.seed)
    gpt = GPT(cfg.model).to(cfg.device)
    train_sft(cfg, gpt, world)

    rm = RewardModel(copy.deepcopy(gpt)).to(cfg.device)
    train_reward(cfg, rm, world)

    policy = ActorCritic(gpt).to(cfg.device)
    show(policy, cfg, world)
    trainer = PPOTrainer(cfg, policy, rm, world, log)
    history = trainer.fit()
    show(policy, cfg, world)
    log.info("human score %.3f -> %.3f", history[0]["human_score"], history[-1]["human_score"])


if __name__ == "__main__":
    main()
