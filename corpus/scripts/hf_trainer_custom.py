"""Fine-tune a tiny transformer with a Trainer subclass: focal loss, R-Drop, custom callback."""
import argparse
import logging

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset
from transformers import PretrainedConfig, PreTrainedModel, Trainer, TrainerCallback, TrainingArguments
from transformers.modeling_outputs import SequenceClassifierOutput

logger = logging.getLogger(__name__)


class TinyConfig(PretrainedConfig):
    model_type = "tiny-seq"

    def __init__(self, vocab=200, dim=32, num_classes=3, **kwargs):
        super().__init__(**kwargs)
        self.vocab, self.dim, self.num_classes = vocab, dim, num_classes


class TinyForClassification(PreTrainedModel):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__(config)
        self.embed = nn.Embedding(config.vocab, config.dim)
        self.attn = nn.MultiheadAttention(config.dim, 4, dropout=0.1, batch_first=True)
        self.norm = nn.LayerNorm(config.dim)
        self.classifier = nn.Linear(config.dim, config.num_classes)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, labels=None):
        x = self.embed(input_ids)
        pad = attention_mask == 0
        h, _ = self.attn(x, x, x, key_padding_mask=pad, need_weights=False)
        h = self.norm(x + h)
        h = h.masked_fill(pad.unsqueeze(-1), 0.0)
        pooled = h.sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)
        logits = self.classifier(pooled)
        loss = F.cross_entropy(logits, labels) if labels is not None else None
        return SequenceClassifierOutput(loss=loss, logits=logits)


class SyntheticText(Dataset):
    def __init__(self, n, vocab=200, max_len=24, seed=0):
        rng = np.random.default_rng(seed)
        self.items = []
        for _ in range(n):
            length = int(rng.integers(4, max_len))
            ids = rng.integers(1, vocab, size=length)
            label = int(ids.sum() % 3)
            self.items.append((ids.tolist(), label))
        self.max_len = max_len

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        ids, label = self.items[i]
        pad = self.max_len - len(ids)
        return {
            "input_ids": torch.tensor(ids + [0] * pad),
            "attention_mask": torch.tensor([1] * len(ids) + [0] * pad),
            "labels": torch.tensor(label),
        }


class FocalTrainer(Trainer):
    def __init__(self, *args, gamma=2.0, class_weights=None, rdrop=0.5, **kwargs):
        super().__init__(*args, **kwargs)
        self.gamma = gamma
        self.class_weights = class_weights
        self.rdrop = rdrop
        self.hard_examples = 0

    def focal(self, logits, labels):
        weight = torch.tensor(self.class_weights, device=logits.device)  # sync: tensor-from-host
        ce = F.cross_entropy(logits, labels, weight=weight, reduction="none")
        pt = torch.exp(-ce)
        return ((1 - pt) ** self.gamma * ce).mean()

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        logits = outputs.logits
        loss = self.focal(logits, labels)
        if model.training and self.rdrop > 0:
            logits2 = model(**inputs).logits
            kl = F.kl_div(F.log_softmax(logits2, -1), F.softmax(logits, -1), reduction="batchmean")
            loss = loss + self.rdrop * kl
        wrong = logits.argmax(-1) != labels
        if wrong.any():  # sync: tensor-truth
            self.hard_examples += wrong.sum().item()  # sync: host-read
        if self.state.global_step % 50 == 0:
            logger.info("step %d loss %s", self.state.global_step, loss)  # sync: print-tensor note
        return (loss, outputs) if return_outputs else loss


class GradNormCallback(TrainerCallback):
    """Stores the largest gradient of each step; stops when weights become huge."""

    def __init__(self, limit=1e4):
        self.limit, self.norms = limit, []

    def on_pre_optimizer_step(self, args, state, control, model=None, **kwargs):
        norms = [p.grad.norm() for p in model.parameters() if p.grad is not None]
        self.norms.append(torch.stack(norms).max())

    def on_step_end(self, args, state, control, model=None, **kwargs):
        total = sum(p.detach().abs().sum() for p in model.parameters())
        if total > self.limit:  # sync: tensor-truth
            control.should_training_stop = True
        return control

    def on_train_end(self, args, state, control, **kwargs):
        print("largest gradient norm", torch.stack(self.norms).max().item())


def compute_metrics(eval_pred):
    logits, labels = eval_pred
    pred = np.argmax(logits, axis=-1)
    return {"accuracy": float((pred == labels).mean())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-steps", type=int, default=500)
    parser.add_argument("--eval-steps", type=int, default=100)
    parser.add_argument("--output-dir", default="hf_out")
    cli = parser.parse_args()
    logging.basicConfig(level=logging.INFO)

    training_args = TrainingArguments(
        output_dir=cli.output_dir,
        max_steps=cli.max_steps,
        per_device_train_batch_size=32,
        per_device_eval_batch_size=64,
        learning_rate=1e-3,
        eval_strategy="steps",
        eval_steps=cli.eval_steps,
        logging_steps=50,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        remove_unused_columns=False,
    )
    trainer = FocalTrainer(
        model=TinyForClassification(TinyConfig()),
        args=training_args,
        train_dataset=SyntheticText(2000),
        eval_dataset=SyntheticText(200, seed=1),
        compute_metrics=compute_metrics,
        callbacks=[GradNormCallback()],
        class_weights=[1.0, 1.2, 0.8],
    )
    trainer.train()
    print(trainer.evaluate())
    print("hard examples", trainer.hard_examples)


if __name__ == "__main__":
    main()
