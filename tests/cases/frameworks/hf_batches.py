"""A transformers model that is called with a whole batch looks at the batch's attention mask; one that gets none does not."""
import torch
from transformers import AutoModelForImageClassification, DistilBertForSequenceClassification, get_scheduler
from torch.utils.data import DataLoader


def train(dataset, pictures, collate):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = DistilBertForSequenceClassification.from_pretrained("distilbert-base-uncased").to(device)
    vision = AutoModelForImageClassification.from_pretrained("google/vit-base-patch16-224").to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
    loader = DataLoader(dataset, batch_size=8, shuffle=True, collate_fn=collate)
    scheduler = get_scheduler("linear", optimizer, 0, 1000)
    for batch in loader:
        batch = {k: v.to(device) for k, v in batch.items()}  # sync: copy-to-device
        loss = model(**batch).loss  # sync: library-wait likely
        loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        feed = {k: v for k, v in batch.items() if k != "labels"}
        logits = model(**feed).logits  # sync: library-wait likely
        only = {"input_ids": batch["input_ids"], "labels": batch["labels"]}
        logits = model(**only).logits
        both = {"input_ids": batch["input_ids"], "attention_mask": batch["attention_mask"]}
        logits = model(**both).logits  # sync: library-wait likely
    for batch in DataLoader(pictures, batch_size=8):
        batch = {k: v.to(device) for k, v in batch.items()}  # sync: copy-to-device
        logits = vision(**batch).logits
