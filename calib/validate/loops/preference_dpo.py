"""Direct preference optimization: which of two answers is the better one, against a frozen copy of the same model."""
import copy
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class DPOConfig:
    vocab_size: int = 32000
    hidden_size: int = 1024
    intermediate_size: int = 2816
    num_hidden_layers: int = 8
    num_attention_heads: int = 16
    num_key_value_heads: int = 4
    max_length: int = 512
    pairs: int = 8
    beta: float = 0.1
    learning_rate: float = 2e-7
    max_grad_norm: float = 1.0


class RMSNorm(nn.Module):
    def __init__(self, size, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, hidden):
        variance = hidden.float().pow(2).mean(-1, keepdim=True)
        return self.weight * (hidden * torch.rsqrt(variance + self.eps))


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads, self.kv_heads = config.num_attention_heads, config.num_key_value_heads
        self.head_dim = config.hidden_size // self.heads
        self.q_proj = nn.Linear(config.hidden_size, self.heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(config.hidden_size, self.kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(config.hidden_size, self.kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(config.hidden_size, config.hidden_size, bias=False)

    def forward(self, hidden):
        batch, length, size = hidden.shape
        q = self.q_proj(hidden).view(batch, length, self.heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(hidden).view(batch, length, self.kv_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(hidden).view(batch, length, self.kv_heads, self.head_dim).transpose(1, 2)
        k = k.repeat_interleave(self.heads // self.kv_heads, dim=1)
        v = v.repeat_interleave(self.heads // self.kv_heads, dim=1)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).reshape(batch, length, size))


class DecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.input_norm = RMSNorm(config.hidden_size)
        self.attention = Attention(config)
        self.post_norm = RMSNorm(config.hidden_size)
        self.gate_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.up_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.down_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=False)

    def forward(self, hidden):
        hidden = hidden + self.attention(self.input_norm(hidden))
        normed = self.post_norm(hidden)
        return hidden + self.down_proj(F.silu(self.gate_proj(normed)) * self.up_proj(normed))


class CausalLM(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.embed_positions = nn.Embedding(config.max_length, config.hidden_size)
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.num_hidden_layers))
        self.norm = RMSNorm(config.hidden_size)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, input_ids):
        positions = torch.arange(input_ids.shape[1], device=input_ids.device)
        hidden = self.embed_tokens(input_ids) + self.embed_positions(positions)
        for layer in self.layers:
            hidden = layer(hidden)
        return self.lm_head(self.norm(hidden))


def get_batch_logps(model, input_ids, answer_mask):
    logits = model(input_ids)[:, :-1].float()
    labels = input_ids[:, 1:]
    per_token = torch.gather(logits.log_softmax(-1), dim=2, index=labels.unsqueeze(2)).squeeze(2)
    return (per_token * answer_mask[:, 1:]).sum(-1)


def dpo_loss(policy_logps, reference_logps, beta):
    policy_chosen, policy_rejected = policy_logps.chunk(2)
    reference_chosen, reference_rejected = reference_logps.chunk(2)
    logits = (policy_chosen - policy_rejected) - (reference_chosen - reference_rejected)
    losses = -F.logsigmoid(beta * logits)
    return losses.mean(), beta * (policy_chosen - reference_chosen).detach(), beta * (policy_rejected - reference_rejected).detach()


def lr_lambda(step, warmup=100, total=10_000_000):
    return step / warmup if step < warmup else 0.5 * (1 + math.cos(math.pi * step / total))


def make_pairs(config):
    """Chosen answers first, then the rejected ones; the prompt is as long as the pair says."""
    input_ids = torch.randint(0, config.vocab_size, (2 * config.pairs, config.max_length), device="cuda")
    prompt = torch.randint(32, 200, (config.pairs, 1), device="cuda").repeat(2, 1)
    length = torch.randint(256, config.max_length, (2 * config.pairs, 1), device="cuda")
    length[0] = config.max_length
    place = torch.arange(config.max_length, device="cuda")[None]
    return {"input_ids": input_ids, "answer_mask": ((place >= prompt) & (place < length)).float(), "length": length.squeeze(1)}


config = DPOConfig()
policy = CausalLM(config).to("cuda")
reference = copy.deepcopy(policy).eval().requires_grad_(False)
optimizer = torch.optim.AdamW(policy.parameters(), lr=config.learning_rate, betas=(0.9, 0.95), weight_decay=0.0, fused=True)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda)
batches = [make_pairs(config) for _ in range(12)]
logs = {"loss": [], "margins": [], "accuracies": [], "grad_norm": []}


def train(steps):
    policy.train()
    for step in range(steps):
        batch = batches[step % 12]
        input_ids = batch["input_ids"]  #- trim
        #+ trim: input_ids = batch["input_ids"][:, : int(batch["length"].max())]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            with torch.no_grad():
                reference_logps = get_batch_logps(reference, input_ids, batch["answer_mask"])
            policy_logps = get_batch_logps(policy, input_ids, batch["answer_mask"])
        loss, chosen_rewards, rejected_rewards = dpo_loss(policy_logps, reference_logps, config.beta)
        #+ item-forward: logs["loss"].append(loss.item())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        grad_norm = nn.utils.clip_grad_norm_(policy.parameters(), config.max_grad_norm)  #- strict
        #+ strict: grad_norm = nn.utils.clip_grad_norm_(policy.parameters(), config.max_grad_norm, error_if_nonfinite=True)
        optimizer.step()
        scheduler.step()
        #+ accuracies: logs["accuracies"].append((chosen_rewards > rejected_rewards).float().mean().item())
        #+ margins: logs["margins"].extend((chosen_rewards - rejected_rewards).tolist())
        #+ metrics: metrics = {"loss": loss.item(), "chosen": chosen_rewards.mean().item(), "grad_norm": grad_norm.item()}
        #+ print: print(f"step {step}: loss {loss:.4f}, learning rate {scheduler.get_last_lr()[0]:.2e}")
        #+ tenth: if step % 10 == 0: logs["grad_norm"].append(float(grad_norm))


if __name__ == "__main__":
    train(60)
