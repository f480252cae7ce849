import json
import random
from collections import defaultdict
from dataclasses import dataclass, fields
from functools import partial
from typing import Optional, Self

import torch
import torch.nn.functional as F
import torch.optim as optim
import wandb
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig, PreTrainedTokenizer

from rewards import REWARDS


@dataclass
class Experience:
    sequences: torch.Tensor
    action_log_probs: torch.Tensor
    log_probs_ref: torch.Tensor
    returns: Optional[torch.Tensor]
    advantages: Optional[torch.Tensor]
    attention_mask: Optional[torch.Tensor]
    action_mask: torch.Tensor
    kl: Optional[torch.Tensor] = None

    def to(self, device: torch.device) -> Self:
        members = {}
        for field in fields(self):
            v = getattr(self, field.name)
            if isinstance(v, torch.Tensor):
                v = v.to(device=device)  # sync: copy-to-host, copy-to-device
            members[field.name] = v
        return Experience(**members)


class ReplayBuffer:
    def __init__(self, limit=0):
        self.limit = limit
        self.items = []

    def append(self, exp: Experience):
        keys = ("sequences", "action_log_probs", "log_probs_ref", "returns", "advantages", "attention_mask", "action_mask")
        n = exp.sequences.size(0)
        rows = [{} for _ in range(n)]
        for key in keys:
            for i, v in enumerate(torch.unbind(getattr(exp, key))):
                rows[i][key] = v
        self.items.extend(Experience(**row) for row in rows)

    def clear(self):
        self.items.clear()

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def join_experience(items):
    batch = {}
    for key in ("sequences", "action_log_probs", "log_probs_ref", "returns", "advantages", "attention_mask", "action_mask"):
        batch[key] = torch.stack([getattr(item, key) for item in items], dim=0)
    return Experience(**batch)


def masked_mean(x, mask, dim=None):
    return (x * mask).sum(axis=dim) / mask.sum(axis=dim)


def approx_kl(log_probs, log_probs_ref, mask):
    r = (log_probs_ref.float() - log_probs.float()) * mask
    return r.exp() - r - 1


def sequence_log_probs(model, sequence_ids, attention_mask):
    position_ids = attention_mask.long().cumsum(dim=-1) - 1
    position_ids.masked_fill_(mask=(attention_mask == 0), value=1)
    out = model.forward(input_ids=sequence_ids, attention_mask=attention_mask, position_ids=position_ids, use_cache=False)
    logits = out["logits"][:, :-1].to(torch.float32)
    return F.log_softmax(logits, dim=-1).gather(dim=-1, index=sequence_ids[:, 1:].unsqueeze(-1)).squeeze(-1)


@torch.no_grad()
def rollout(model, tokenizer, task, answer, num_rollouts, max_length=1024):
    model.eval()
    text = tokenizer.apply_chat_template([{"role": "user", "content": task}], tokenize=False, add_generation_prompt=True)
    inputs = tokenizer([text], return_tensors="pt", padding=True).to("cuda")  # sync: copy-to-device
    inputs["attention_mask"] = inputs["attention_mask"].repeat(num_rollouts, 1)
    inputs["input_ids"] = inputs["input_ids"].repeat(num_rollouts, 1)
    cfg = GenerationConfig(do_sample=True, max_length=max_length, pad_token_id=tokenizer.eos_token_id)
    sequence_ids = model.generate(**inputs, generation_config=cfg)  # sync: library-wait
    completions = tokenizer.batch_decode(sequence_ids[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)  # sync: library-wait
    action_mask = torch.zeros_like(sequence_ids, dtype=torch.bool)
    action_mask[:, inputs["input_ids"].shape[1] :] = True
    action_mask[sequence_ids == tokenizer.eos_token_id] = False
    returns = torch.zeros(num_rollouts, 1, dtype=torch.float)
    for name, fn in REWARDS.items():
        returns += torch.tensor(fn(completions, answers=[answer] * num_rollouts)).unsqueeze(1)
    return sequence_ids, returns.to(sequence_ids.device), action_mask[:, 1:], completions  # sync: copy-to-device


def group_advantages(returns, eps=1e-8):
    return (returns - returns.mean()) / (returns.std() + eps)


class GRPOLoss(torch.nn.Module):
    def __init__(self, clip_eps, kl_weight):
        super().__init__()
        self.clip_eps = clip_eps
        self.kl_weight = kl_weight

    def forward(self, log_probs, experience: Experience):
        kl = approx_kl(log_probs, experience.log_probs_ref, experience.action_mask)
        ratio = (log_probs - experience.action_log_probs).exp()
        surr1 = ratio * experience.advantages
        surr2 = ratio.clamp(1 - self.clip_eps, 1 + self.clip_eps) * experience.advantages
        loss = -torch.min(surr1, surr2) + self.kl_weight * kl
        return masked_mean(loss, experience.action_mask, dim=-1).mean(), kl.mean()


def main():
    device = torch.device("cuda", 0)
    cpu_device = torch.device("cpu")
    name = "meta-llama/Llama-3.2-1B-Instruct"
    tokenizer = AutoTokenizer.from_pretrained(name)
    load = partial(AutoModelForCausalLM.from_pretrained, name, torch_dtype=torch.bfloat16, device_map=device)
    reference, model = load(), load()
    optimizer = optim.Adam(model.parameters(), lr=5e-6)
    reference.eval()
    model.gradient_checkpointing_enable()
    prompts = [json.loads(line) for line in open("math.jsonl")]
    loader = DataLoader(prompts, batch_size=8, shuffle=True, drop_last=True)
    replay = ReplayBuffer()
    objective = GRPOLoss(0.2, 0.01)
    for k, batch in enumerate(loader):
        replay.clear()
        rollout_returns = []
        with torch.no_grad():
            for q, a in zip(batch["question"], batch["answer"]):
                ids, returns, action_mask, completions = rollout(model, tokenizer, q, a, 12)
                rollout_returns.append(returns.cpu())  # sync: copy-to-host
                advantages = group_advantages(returns)
                attention_mask = ids != tokenizer.eos_token_id
                log_probs = sequence_log_probs(model, ids, attention_mask)
                log_probs_ref = sequence_log_probs(reference, ids, attention_mask)
                exp = Experience(ids, log_probs, log_probs_ref, returns, advantages, attention_mask, action_mask)
                replay.append(exp.to(cpu_device))
        torch.cuda.empty_cache()  # sync: explicit-sync note
        episode_return = torch.stack(rollout_returns).sum()
        print(f"returns of step {k}: {episode_return:.4f}")
        wandb.log({"returns": episode_return})
        sampler = DataLoader(replay, batch_size=16, shuffle=True, drop_last=True, collate_fn=join_experience)
        model.train()
        for exp in sampler:
            exp = exp.to(device)
            optimizer.zero_grad()
            log_probs = sequence_log_probs(model, sequence_ids=exp.sequences, attention_mask=exp.attention_mask)
            loss, kl = objective(log_probs=log_probs, experience=exp)
            if not loss.isfinite():  # sync: tensor-truth
                print(f"Loss not finite, skipping backward, loss={loss}")  # sync: host-read
                continue
            loss.backward()
            grad_norm = clip_grad_norm_(model.parameters(), max_norm=1.0)
            print(f"kl={kl: .4f}, grad_norm={grad_norm: .4f}")  # sync: host-read, host-read
            wandb.log({"kl": kl, "grad_norm": grad_norm})  # sync: copy-to-host
            optimizer.step()
        if (k + 1) % 20 == 0:
            model.save_pretrained(f"out/step_{k}")  # sync: copy-to-host note


if __name__ == "__main__":
    main()
