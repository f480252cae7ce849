"""Data sets of the Hub: mapped, formatted, padded by collators."""
import torch
import torch.nn as nn
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, DataCollatorWithPadding, default_data_collator, DataCollatorForLanguageModeling, AutoModelForSequenceClassification

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
emb = nn.Embedding(30522, 64).cuda()
raw = load_dataset("glue", "mrpc")


def tokenize(examples):
    return tokenizer(examples["sentence1"], examples["sentence2"], padding="max_length", truncation=True, max_length=128)


def shorter(examples):
    return tokenizer(examples["sentence1"], truncation=True, max_length=200)


done = raw.map(tokenize, batched=True, remove_columns=["sentence1", "sentence2", "idx"])
done = done.rename_column("label", "labels")
done.set_format("torch")
loader = DataLoader(done["train"], shuffle=True, batch_size=8, pin_memory=True)
for batch in loader:
    batch = {k: v.cuda(non_blocking=True) for k, v in batch.items()}
    emb(batch["input_ids"]) + 1  # is: cuda float (8, 128, 64)
    batch["labels"] + 1  # is: cuda (8,)
padded = raw.map(shorter, batched=True)
collate = DataCollatorWithPadding(tokenizer=tokenizer)
for batch in DataLoader(padded["train"], batch_size=16, collate_fn=collate, pin_memory=True):
    emb(batch["input_ids"].cuda(non_blocking=True)) + 1  # is: cuda float (16, 1..200, 64)
one = load_dataset("imdb", split="train").map(lambda x: tokenizer(x["text"], truncation=True, padding="max_length", max_length=256)).with_format("torch")
for batch in DataLoader(one, batch_size=4, pin_memory=True):
    emb(batch["input_ids"].cuda(non_blocking=True)) + 1  # is: cuda float (4, 256, 64)
mlm = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.15)
for batch in DataLoader(done["train"], batch_size=32, collate_fn=mlm, pin_memory=True):
    emb(batch["labels"].cuda(non_blocking=True)) + 1  # is: cuda float (32, 128, 64)


def own(rows):
    ids = torch.stack([torch.tensor(r["input_ids"]) for r in rows])
    return ids, torch.tensor([r["label"] for r in rows])


for ids, label in DataLoader(raw.map(tokenize)["train"], batch_size=24, collate_fn=own, pin_memory=True):
    emb(ids.cuda(non_blocking=True)) + 1  # is: cuda float (24, 128, 64)
