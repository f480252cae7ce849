"""Group relative policy optimisation of a causal LM on math answers: generate, reward, log-probs, update."""
import json
import random
import re
from contextlib import nullcontext
from dataclasses import dataclass

import torch
import torch.nn.functional as F
import wandb
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig, get_cosine_schedule_with_warmup


@dataclass
class Experience:
    sequences: torch.Tensor
    action_log_probs: torch.Tensor
    log_probs_ref: torch.Tensor
    returns: torch.Tensor
    advantages: torch.Tensor
    attention_mask: torch.Tensor
    action_mask: torch.Tensor

    def to(self, device):
        members = {}
        for name in ("sequences", "action_log_probs", "log_probs_ref", "returns", "advantages", "attention_mask", "action_mask"):
            v = getattr(self, name)
            if isinstance(v, torch.Tensor):
                v = v.to(device=device)  # sync: copy-to-host, copy-to-device
            members[name] = v
        return Experience(**members)


class ReplayBuffer:
    def __init__(self, limit=0):
        self.limit = limit
        self.items = []

    def append(self, experience):
        keys = ("sequences", "action_log_probs", "log_probs_ref", "returns", "advantages", "attention_mask", "action_mask")
        parts = [dict() for _ in range(experience.sequences.size(0))]
        for key in keys:
            for i, v in enumerate(torch.unbind(getattr(experience, key))):
                parts[i][key] = v
        self.items.extend(Experience(**p) for p in parts)
        if self.limit > 0 and len(self.items) > self.limit:
            self.items = self.items[-self.limit :]

    def clear(self):
        self.items.clear()

    def __len__(self):
        return len(self.items)

    def __getitem__(self, idx):
        return self.items[idx]


def join_experience_batch(items):
    out = {}
    for key in ("sequences", "action_log_probs", "log_probs_ref", "returns", "advantages", "attention_mask", "action_mask"):
        vals = [getattr(item, key) for item in items]
        if all(v is not None for v in vals):
            longest = max(v.size(-1) for v in vals)
            out[key] = torch.stack([F.pad(v, (longest - v.size(-1), 0)) for v in vals])
    return Experience(**out)


def load_model(name, bf16=True, device_map=None):
    tokenizer = AutoTokenizer.from_pretrained(name)
    tokenizer.pad_token = tokenizer.eos_token
    model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.bfloat16 if bf16 else "auto", device_map=device_map)
    return model, tokenizer


@torch.no_grad()
def rollout(model, tokenizer, task, oracle, num_rollouts, max_length=1024, temperature=1.0, top_p=1.0):
    model.eval()
    chat = tokenizer.apply_chat_template([{"role": "user", "content": task}], tokenize=False, add_generation_prompt=True)
    inputs = tokenizer([chat], return_tensors="pt", padding=True, padding_side="left").to("cuda")  # sync: copy-to-device
    inputs["attention_mask"] = inputs["attention_mask"].repeat(num_rollouts, 1)
    inputs["input_ids"] = inputs["input_ids"].repeat(num_rollouts, 1)
    config = GenerationConfig(do_sample=True, top_p=top_p, temperature=temperature, max_length=max_length, pad_token_id=tokenizer.eos_token_id)
    sequence_ids = model.generate(**inputs, generation_config=config)  # sync: library-wait
    completions = tokenizer.batch_decode(sequence_ids[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)  # sync: library-wait
    action_mask = torch.zeros_like(sequence_ids, dtype=torch.bool)
    action_mask[:, inputs["input_ids"].shape[1] :] = True
    action_mask[sequence_ids == tokenizer.eos_token_id] = False
    action_mask = action_mask[:, 1:]
    returns = torch.zeros(num_rollouts, 1, dtype=torch.float)
    for i, completion in enumerate(completions):
        match = re.search(r"<answer>(.*?)</answer>", completion, flags=re.DOTALL)
        answer = match.group(1) if match else None
        reward = 0
        if answer is not None:
            reward = 1.0 if answer == oracle else 0.5 if oracle in answer else 0.01
        returns[i] = reward
    return sequence_ids, returns.to(sequence_ids.device), action_mask, completions  # sync: copy-to-device


def group_advantages(returns, eps=1e-8):
    return (returns - returns.mean()) / (returns.std() + eps)


def sequences_log_probs(model, sequence_ids, attention_mask):
    position_ids = attention_mask.long().cumsum(dim=-1) - 1
    position_ids.masked_fill_(mask=(attention_mask == 0), value=1)
    output = model(input_ids=sequence_ids, attention_mask=attention_mask, position_ids=position_ids, use_cache=False)  # sync: library-wait
    logits = output["logits"][:, :-1].to(torch.float32)
    log_prob = F.log_softmax(logits, dim=-1)
    return log_prob.gather(dim=-1, index=sequence_ids[:, 1:].unsqueeze(-1)).squeeze(-1)


def masked_mean(tensor, mask, dim=None):
    if mask is None:
        return tensor.mean(axis=dim)
    return (tensor * mask).sum(axis=dim) / mask.sum(axis=dim)


class GRPOLoss(torch.nn.Module):
    def __init__(self, clip_eps, kl_weight):
        super().__init__()
        self.clip_eps = clip_eps
        self.kl_weight = kl_weight

    def forward(self, log_probs, experience):
        log_ratio = experience.log_probs_ref.float() - log_probs.float()
        log_ratio = log_ratio * experience.action_mask
        kl = log_ratio.exp() - log_ratio - 1
        ratio = (log_probs - experience.action_log_probs).exp()
        surr1 = ratio * experience.advantages
        surr2 = ratio.clamp(1 - self.clip_eps, 1 + self.clip_eps) * experience.advantages
        loss = -torch.min(surr1, surr2) + self.kl_weight * kl
        return masked_mean(loss, experience.action_mask, dim=-1).mean(), kl.mean()


def read_prompts(path):
    return [json.loads(line) for line in open(path)]


def main():
    device = torch.device("cuda", 0)
    cpu_device = torch.device("cpu")
    reference, _ = load_model("meta-llama/Llama-3.2-1B-Instruct", device_map=device)
    model, tokenizer = load_model("meta-llama/Llama-3.2-1B-Instruct", device_map=device)
    reference.eval()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-6)
    scheduler = get_cosine_schedule_with_warmup(optimizer, 100, 10000)
    pad_token_id = tokenizer.eos_token_id
    prompts = DataLoader(read_prompts("math.jsonl"), batch_size=32, shuffle=True, drop_last=True)
    buffer = ReplayBuffer()
    objective = GRPOLoss(0.2, 0.01)
    wandb.init(project="tiny_grpo")
    for k, batch in enumerate(prompts):
        rollout_returns = []
        buffer.clear()
        with torch.no_grad():
            for q, a in zip(batch["question"], batch["answer"]):
                sequence_ids, returns, action_mask, completions = rollout(model, tokenizer, q, a, 12)
                rollout_returns.append(returns.cpu())  # sync: copy-to-host
                advantages = group_advantages(returns)
                attention_mask = sequence_ids != pad_token_id
                log_probs = sequences_log_probs(model, sequence_ids, attention_mask)
                log_probs_ref = sequences_log_probs(reference, sequence_ids, attention_mask)
                experience = Experience(sequence_ids, log_probs, log_probs_ref, returns, advantages, attention_mask, action_mask)
                buffer.append(experience.to(cpu_device))
        torch.cuda.empty_cache()  # sync: explicit-sync note
        episode_return_sum = torch.stack(rollout_returns).sum()
        print(f"returns of step {k}: {episode_return_sum:.4f}")
        wandb.log({"returns": episode_return_sum})
        loader = DataLoader(buffer, batch_size=16, shuffle=True, drop_last=True, collate_fn=join_experience_batch)
        for _ in range(1):
            model.train()
            for exp in loader:
                exp = exp.to(device)
                optimizer.zero_grad()
                log_probs = sequences_log_probs(model, exp.sequences, exp.attention_mask)
                loss, kl = objective(log_probs=log_probs, experience=exp)
                if not loss.isfinite():  # sync: tensor-truth
                    print(f"Loss not finite, skipping backward, loss={loss}")  # sync: host-read
                    continue
                loss.backward()
                grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                print(f"{kl=: .4f}, {grad_norm=: .4f}")  # sync: host-read x2
                wandb.log({"kl": kl, "grad_norm": grad_norm})  # sync: copy-to-host
                optimizer.step()
                scheduler.step()
        if k % 20 == 0:
            model.save_pretrained(f"out/step_{k}")  # sync: copy-to-host note


if __name__ == "__main__":
    main()
