import numpy as np
import torch
from datasets import load_dataset
from torch import nn
from transformers import (AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainerCallback,
                          TrainingArguments)


class WeightedTrainer(Trainer):
    def __init__(self, *args, class_weights=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.class_weights = class_weights
        self.history = []

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        logits = outputs.logits
        loss_fn = nn.CrossEntropyLoss()
        loss = loss_fn(logits.view(-1, 2), labels.view(-1))
        self.history.append(loss.item())  # sync: host-read
        hard = logits[labels == 1]  # sync: dynamic-shape
        return (loss, outputs) if return_outputs else loss


class Watch(TrainerCallback):
    def on_step_end(self, args, state, control, model=None, **kwargs):
        total = 0.0
        for p in model.parameters():
            total += p.detach().abs().max().item()  # sync: host-read
        if state.global_step % 500 == 0:
            print(total)


def compute_metrics(eval_pred):
    logits, labels = eval_pred
    return {"accuracy": (np.argmax(logits, -1) == labels).mean()}


def main():
    tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
    data = load_dataset("imdb").map(lambda b: tokenizer(b["text"], truncation=True), batched=True)
    model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")
    args = TrainingArguments("out", per_device_train_batch_size=16, fp16=True)
    trainer = WeightedTrainer(model=model, args=args, train_dataset=data["train"], compute_metrics=compute_metrics,
                              callbacks=[Watch()])
    trainer.train()


main()
