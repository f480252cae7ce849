"""BERT from transformers learns whether two sentences follow from each other: bfloat16, clipping, a linear schedule."""
import torch
from transformers import BertConfig, BertForSequenceClassification, get_linear_schedule_with_warmup

BATCH_SIZE = 64
MAX_LENGTH = 256
NUM_LABELS = 3
VOCAB_SIZE = 30522

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
config = BertConfig(vocab_size=VOCAB_SIZE, hidden_size=768, num_hidden_layers=8, num_attention_heads=12,
                    intermediate_size=3072, num_labels=NUM_LABELS)
model = BertForSequenceClassification(config).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-6, weight_decay=0.01)
scheduler = get_linear_schedule_with_warmup(optimizer, num_warmup_steps=1000, num_training_steps=10_000_000)


def make_batch():
    lengths = torch.randint(MAX_LENGTH // 2, MAX_LENGTH, (BATCH_SIZE, 1))
    mask = (torch.arange(MAX_LENGTH)[None] < lengths).long()
    return {"input_ids": torch.randint(0, VOCAB_SIZE, (BATCH_SIZE, MAX_LENGTH)) * mask,
            "attention_mask": mask,
            "token_type_ids": (torch.arange(MAX_LENGTH)[None] > lengths // 2).long() * mask,
            "labels": torch.randint(0, NUM_LABELS, (BATCH_SIZE,))}


batches = [make_batch() for _ in range(8)]
resident = [{name: tensor.to(device) for name, tensor in batch.items()} for batch in batches]  # syncl: allow once
train_losses, predictions = [], []


def train(steps):
    model.train()
    for step in range(steps):
        batch = resident[step % 8]  #- upload
        #+ upload: batch = {k: v.to(device) for k, v in batches[step % 8].items()}
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            outputs = model(**batch)  # syncl: allow transformers looks whether anything is padded
        loss = outputs.loss
        #+ item-forward: train_losses.append(loss.item())
        #+ nan: if torch.isnan(loss): continue
        loss.backward()
        #+ item-backward: train_losses.append(loss.item())
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        #+ item-end: train_losses.append(loss.item())
        #+ norm: train_losses.append(float(grad_norm))
        #+ predictions: predictions[:] = outputs.logits.argmax(dim=-1).cpu().tolist()
        #+ accuracy: accuracy = (outputs.logits.argmax(dim=-1) == batch["labels"]).float().mean().item()
        #+ progress: print(f"step {step} loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.2e}")
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: train_losses.append(loss.item())


if __name__ == "__main__":
    train(1000)
