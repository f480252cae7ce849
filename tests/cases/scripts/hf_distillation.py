"""Distillation with a Trainer of one's own: compute_loss, callbacks, compute_metrics, preprocess_logits_for_metrics."""
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Union

import evaluate
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from datasets import load_dataset
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    EarlyStoppingCallback,
    HfArgumentParser,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)


@dataclass
class DistillationArguments(TrainingArguments):
    alpha: float = field(default=0.5)
    temperature: float = field(default=2.0)


class GradNormCallback(TrainerCallback):
    def __init__(self, every=50):
        self.every = every
        self.history = []

    def on_step_end(self, args, state, control, model=None, **kwargs):
        if state.global_step % self.every == 0:
            total = 0.0
            for p in model.parameters():
                total += p.detach().norm(2).item() ** 2  # sync: host-read note
            self.history.append(total**0.5)
        return control

    def on_epoch_end(self, args, state, control, **kwargs):
        torch.cuda.empty_cache()  # sync: explicit-sync note


class DistillationTrainer(Trainer):
    def __init__(self, *args, teacher_model=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.teacher = teacher_model
        self._move_model_to_device(self.teacher, self.model.device)
        self.teacher.eval()
        self.running = {"ce": 0.0, "kd": 0.0}

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        outputs_student = model(**inputs)
        student_loss = outputs_student.loss
        with torch.no_grad():
            outputs_teacher = self.teacher(**inputs)  # sync: library-wait
        assert outputs_student.logits.size() == outputs_teacher.logits.size()
        t = self.args.temperature
        kd = F.kl_div(F.log_softmax(outputs_student.logits / t, dim=-1), F.softmax(outputs_teacher.logits / t, dim=-1),
                      reduction="batchmean") * (t**2)
        loss = self.args.alpha * student_loss + (1.0 - self.args.alpha) * kd
        if torch.isnan(loss):  # sync: tensor-truth
            raise ValueError("loss is nan")
        self.running["ce"] += student_loss.item()  # sync: host-read
        self.running["kd"] += kd.detach().float().cpu().item()  # sync: copy-to-host
        if self.state.global_step % 100 == 0:
            self.log({"ce": self.running["ce"], "kd": self.running["kd"]})
        return (loss, outputs_student) if return_outputs else loss

    def evaluate_hard(self, loader):
        self.model.eval()
        hard = []
        for batch in loader:
            batch = self._prepare_inputs(batch)
            with torch.no_grad():
                logits = self.model(**batch).logits
            conf, pred = logits.softmax(-1).max(-1)
            mask = pred != batch["labels"]
            hard.extend(conf[mask].tolist())  # sync: host-read, dynamic-shape
        return np.mean(hard)


accuracy = evaluate.load("accuracy")


def compute_metrics(eval_pred):
    predictions, labels = eval_pred
    if isinstance(predictions, tuple):
        predictions = predictions[0]
    predictions = np.argmax(predictions, axis=1)
    return accuracy.compute(predictions=predictions, references=labels)


def main():
    parser = HfArgumentParser((DistillationArguments,))
    (args,) = parser.parse_args_into_dataclasses()
    tokenizer = AutoTokenizer.from_pretrained("distilbert-base-uncased")
    ds = load_dataset("glue", "sst2")
    ds = ds.map(lambda x: tokenizer(x["sentence"], truncation=True), batched=True)
    teacher = AutoModelForSequenceClassification.from_pretrained("textattack/bert-base-uncased-SST-2")
    student = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased", num_labels=2)
    trainer = DistillationTrainer(
        model=student, teacher_model=teacher, args=args, train_dataset=ds["train"], eval_dataset=ds["validation"],
        data_collator=DataCollatorWithPadding(tokenizer), processing_class=tokenizer, compute_metrics=compute_metrics,
        callbacks=[GradNormCallback(), EarlyStoppingCallback(3)])
    trainer.train()
    print(trainer.evaluate())
    print(trainer.evaluate_hard(trainer.get_eval_dataloader()))


if __name__ == "__main__":
    main()
