"""Two stage toy alignment: full SFT of the base model, then DPO with LoRA adapters only."""
import argparse
import time
from collections import defaultdict
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import EOS, IGNORE, PAD, VOCAB, PreferenceDataset, SFTDataset, collate, make_samples
from llama_mini import MiniLlama
from lora import disable_adapters, inject_lora, lora_state_dict, print_trainable_parameters, LoRALinear

try:
    import wandb
except ImportError:
    wandb = None


def get_batch_logps(logits, labels, average_log_prob=False):
    assert logits.shape[:-1] == labels.shape
    labels = labels[:, 1:].clone()
    logits = logits[:, :-1, :]
    loss_mask = labels != IGNORE
    labels[labels == IGNORE] = 0  # dummy token, losses are masked out below
    per_token_logps = torch.gather(logits.log_softmax(-1), dim=2, index=labels.unsqueeze(2)).squeeze(2)
    if average_log_prob:
        return (per_token_logps * loss_mask).sum(-1) / loss_mask.sum(-1)
    return (per_token_logps * loss_mask).sum(-1)


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta, label_smoothing=0.0, loss_type="sigmoid"):
    logits = (policy_chosen - policy_rejected) - (ref_chosen - ref_rejected)
    if loss_type == "ipo":
        losses = (logits - 1 / (2 * beta)) ** 2
    else:
        losses = -F.logsigmoid(beta * logits) * (1 - label_smoothing) - F.logsigmoid(-beta * logits) * label_smoothing
    chosen_rewards = beta * (policy_chosen - ref_chosen).detach()
    rejected_rewards = beta * (policy_rejected - ref_rejected).detach()
    return losses, chosen_rewards, rejected_rewards


def concatenated_forward(model, batch):
    """One forward for chosen and rejected, cheaper than two."""
    max_len = max(batch["chosen_input_ids"].shape[1], batch["rejected_input_ids"].shape[1])

    def pad_to(t, value):
        return F.pad(t, (0, max_len - t.size(1)), value=value)

    ids = torch.cat([pad_to(batch["chosen_input_ids"], PAD), pad_to(batch["rejected_input_ids"], PAD)])
    labels = torch.cat([pad_to(batch["chosen_labels"], IGNORE), pad_to(batch["rejected_labels"], IGNORE)])
    logps = get_batch_logps(model(ids).float(), labels)
    n = batch["chosen_input_ids"].size(0)
    return logps[:n], logps[n:]


def dpo_metrics(model, batch, args):
    pc, pr = concatenated_forward(model, batch)
    with torch.no_grad(), disable_adapters(model):
        rc, rr = concatenated_forward(model, batch)
    losses, chosen_rewards, rejected_rewards = dpo_loss(pc, pr, rc, rr, args.beta, args.label_smoothing, args.loss_type)
    reward_accuracies = (chosen_rewards > rejected_rewards).float()
    metrics = {
        "loss": losses.detach().cpu().numpy().tolist(),
        "rewards/chosen": chosen_rewards.cpu().numpy().tolist(),
        "rewards/rejected": rejected_rewards.cpu().numpy().tolist(),
        "rewards/accuracies": reward_accuracies.cpu().numpy().tolist(),
        "rewards/margins": (chosen_rewards - rejected_rewards).cpu().numpy().tolist(),
    }
    return losses.mean(), metrics


def fmt(metrics):
    return {k: round(sum(v) / len(v), 4) for k, v in metrics.items()}


def run_sft(model, loader, args):
    opt = torch.optim.AdamW(model.parameters(), lr=args.sft_lr, betas=(0.9, 0.95))
    model.train()
    for epoch in range(args.sft_epochs):
        tokens, t0 = 0, time.perf_counter()
        for i, batch in enumerate(loader):
            batch = {k: v.to(args.device) for k, v in batch.items()}
            with torch.autocast(args.device.type, dtype=torch.bfloat16, enabled=args.bf16):
                logits = model(batch["input_ids"])
                loss = F.cross_entropy(logits[:, :-1].flatten(0, 1).float(), batch["labels"][:, 1:].flatten(),
                                       ignore_index=IGNORE)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            tokens += batch["input_ids"].numel()
            if i % 5 == 0:
                print(f"[sft] epoch {epoch} it {i:3d} loss {loss.item():.4f} tok/s {tokens / (time.perf_counter() - t0):,.0f}")


def run_dpo(model, train_loader, eval_loader, args):
    trainable = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.RMSprop(trainable, lr=args.dpo_lr)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / (args.warmup_steps + 1)))
    step, examples = 0, 0
    for epoch in range(args.dpo_epochs):
        batch_metrics = defaultdict(list)
        for batch in train_loader:
            if step % args.eval_every == 0:
                model.eval()
                all_eval = defaultdict(list)
                for eb in eval_loader:
                    eb = {k: v.to(args.device) for k, v in eb.items()}
                    with torch.no_grad():
                        _, m = dpo_metrics(model, eb, args)
                    for k, v in m.items():
                        all_eval[k].extend(v)
                print(f"[dpo] eval after {examples}: {fmt(all_eval)}")
                if wandb is not None and wandb.run is not None:
                    wandb.log(fmt(all_eval), step=examples)
            model.train()
            batch = {k: v.to(args.device) for k, v in batch.items()}
            loss, m = dpo_metrics(model, batch, args)
            (loss / args.grad_accum).backward()
            for k, v in m.items():
                batch_metrics[k].extend(v)
            if (step + 1) % args.grad_accum == 0:
                grad_norm = torch.nn.utils.clip_grad_norm_(trainable, args.max_grad_norm).item()
                opt.step()
                sched.step()
                opt.zero_grad()
                batch_metrics["grad_norm"].append(grad_norm)
            step += 1
            examples += batch["chosen_labels"].size(0)
            if step % args.log_every == 0:
                print(f"[dpo] train stats after {examples} examples: {fmt(batch_metrics)}")
                batch_metrics = defaultdict(list)
        torch.save(lora_state_dict(model), args.out / f"adapter_epoch{epoch}.pt")


@torch.no_grad()
def win_rate(model, samples, args, n=8):
    model.eval()
    hits = 0
    for s in samples[:n]:
        x = torch.tensor([s.prompt], device=args.device)
        y = model.generate(x, 12, eos=EOS, temperature=0.7)[0, len(s.prompt):].tolist()
        hits += int(y == s.chosen)
    return hits / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--n", type=int, default=256)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--sft-epochs", type=int, default=2)
    p.add_argument("--dpo-epochs", type=int, default=2)
    p.add_argument("--sft-lr", type=float, default=3e-3)
    p.add_argument("--dpo-lr", type=float, default=5e-4)
    p.add_argument("--beta", type=float, default=0.1)
    p.add_argument("--label-smoothing", type=float, default=0.0)
    p.add_argument("--loss-type", choices=["sigmoid", "ipo"], default="sigmoid")
    p.add_argument("--grad-accum", type=int, default=2)
    p.add_argument("--warmup-steps", type=int, default=4)
    p.add_argument("--max-grad-norm", type=float, default=10.0)
    p.add_argument("--eval-every", type=int, default=8)
    p.add_argument("--log-every", type=int, default=4)
    p.add_argument("--lora-r", type=int, default=4)
    p.add_argument("--device", type=torch.device, default=torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    p.add_argument("--no-bf16", dest="bf16", action="store_false")
    p.add_argument("--out", type=Path, default=Path("out"))
    args = p.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")

    train, held = make_samples(args.n, 0), make_samples(48, 1)
    model = MiniLlama(VOCAB).to(args.device)
    run_sft(model, DataLoader(SFTDataset(train), args.batch_size, shuffle=True, collate_fn=collate), args)
    print("exact match after sft:", win_rate(model, held, args))

    inject_lora(model, {"q_proj", "v_proj", "down_proj"}, r=args.lora_r, alpha=2 * args.lora_r, dropout=0.05)
    model.to(args.device)
    print_trainable_parameters(model)
    run_dpo(model,
            DataLoader(PreferenceDataset(train), args.batch_size, shuffle=True, collate_fn=collate, pin_memory=True),
            DataLoader(PreferenceDataset(held), args.batch_size, collate_fn=collate), args)

    for m in model.modules():
        if isinstance(m, LoRALinear):
            m.merge()
    print("exact match after dpo:", win_rate(model, held, args))
    torch.save(model.state_dict(), args.out / "merged.pt")


if __name__ == "__main__":
    main()
