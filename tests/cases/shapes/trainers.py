"""Steps of which the loaders are given to fit, and those of the Trainer of transformers."""
import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F
from datasets import load_dataset
from torch.utils.data import DataLoader, TensorDataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments


class Small(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(16, 32)

    def training_step(self, batch, batch_idx):
        x, y = batch
        out = self.net(x)
        out + 1  # is: cuda float likely (36, 32)
        return F.mse_loss(out, y)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.net(x) + 1  # is: cuda float likely (72, 32)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


train = DataLoader(TensorDataset(torch.randn(1000, 16), torch.randn(1000, 1)), batch_size=36)
val = DataLoader(TensorDataset(torch.randn(1000, 16), torch.randn(1000, 1)), batch_size=72)
trainer = L.Trainer(max_epochs=3)
trainer.fit(Small(), train, val)

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")


def tokenize(examples):
    return tokenizer(examples["text"], padding="max_length", truncation=True, max_length=128)


class Own(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        labels = inputs.get("labels")
        outputs = model(**inputs)
        logits = outputs.logits
        logits + 1  # is: cuda float likely (8, 4)
        loss = F.cross_entropy(logits, labels)
        return (loss, outputs) if return_outputs else loss


raw = load_dataset("imdb")
done = raw.map(tokenize, batched=True)
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=4)
args = TrainingArguments(output_dir="out", per_device_train_batch_size=8, per_device_eval_batch_size=16, num_train_epochs=3)
Own(model=model, args=args, train_dataset=done["train"], eval_dataset=done["test"]).train()
