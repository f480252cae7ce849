import json
import os
import tempfile
from dataclasses import dataclass, field

import numpy as np
from transformers import (BertConfig, BertForSequenceClassification, EarlyStoppingCallback, HfArgumentParser,
                          TrainingArguments, set_seed)

from src.callbacks import EMACallback, GradNormWatch, JsonlLogger, TimeBudget
from src.data import LABELS, PaddingCollator, TicketDataset, WordTokenizer
from src.losses import build_loss
from src.metrics import compute_metrics, confusion
from src.trainer import TicketTrainer


@dataclass
class ScriptArguments:
    loss: str = field(default="focal", metadata={"help": "ce | focal | logit_adjusted"})
    rdrop_alpha: float = 0.0
    llrd: float = 1.0
    fgm: bool = False
    balanced: bool = False
    ema: bool = True
    n_train: int = 960
    n_eval: int = 320
    num_train_epochs: int = 3
    batch_size: int = 16
    grad_accum: int = 2
    lr: float = 5e-4
    seed: int = 7


def main():
    (sargs,) = HfArgumentParser(ScriptArguments).parse_args_into_dataclasses()
    set_seed(sargs.seed)
    out_dir = tempfile.mkdtemp(prefix="tickets_")

    tokenizer = WordTokenizer()
    train_set = TicketDataset(sargs.n_train, tokenizer, seed=1)
    eval_set = TicketDataset(sargs.n_eval, tokenizer, seed=2)
    test_set = TicketDataset(sargs.n_eval, tokenizer, seed=3)

    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=128, num_hidden_layers=3, num_attention_heads=4, intermediate_size=256,
        max_position_embeddings=64, num_labels=len(LABELS), id2label=dict(enumerate(LABELS)),
        label2id={l: i for i, l in enumerate(LABELS)}, pad_token_id=0)
    model = BertForSequenceClassification(config)

    args = TrainingArguments(
        output_dir=out_dir,
        num_train_epochs=sargs.num_train_epochs,
        per_device_train_batch_size=sargs.batch_size,
        per_device_eval_batch_size=64,
        gradient_accumulation_steps=sargs.grad_accum,
        learning_rate=sargs.lr,
        lr_scheduler_type="cosine",
        warmup_steps=10,
        weight_decay=0.01,
        max_grad_norm=1.0,
        bf16=True,
        logging_steps=10,
        eval_strategy="epoch",
        save_strategy="epoch",
        save_total_limit=1,
        load_best_model_at_end=True,
        metric_for_best_model="macro_f1",
        greater_is_better=True,
        remove_unused_columns=False,
        dataloader_num_workers=2,
        report_to="none",
        disable_tqdm=True,
        seed=sargs.seed,
    )

    callbacks = [JsonlLogger(os.path.join(out_dir, "log.jsonl")), GradNormWatch(), TimeBudget(120),
                 EarlyStoppingCallback(early_stopping_patience=2)]
    if sargs.ema:
        callbacks.append(EMACallback(0.95))

    trainer = TicketTrainer(
        model=model,
        args=args,
        train_dataset=train_set,
        eval_dataset=eval_set,
        data_collator=PaddingCollator(tokenizer.pad_token_id),
        compute_metrics=compute_metrics,
        callbacks=callbacks,
        loss_fn=build_loss(sargs.loss, train_set.labels, len(LABELS)),
        rdrop_alpha=sargs.rdrop_alpha,
        llrd=sargs.llrd,
        fgm=sargs.fgm,
        balanced=sargs.balanced,
    )
    result = trainer.train()
    trainer.log_metrics("train", result.metrics)

    pred = trainer.predict(test_set)
    trainer.log_metrics("test", pred.metrics)
    trainer.save_metrics("test", pred.metrics)
    logits = pred.predictions[0] if isinstance(pred.predictions, tuple) else pred.predictions
    m = confusion(logits.argmax(-1), pred.label_ids, len(LABELS))
    print("confusion (rows: truth)")
    for name, row in zip(LABELS, m):
        print(f"{name:>8} " + " ".join(f"{int(x):4d}" for x in row))
    worst = int(np.argmin(np.diag(m) / np.maximum(m.sum(1), 1)))
    print(json.dumps({"worst": LABELS[worst], "macro_f1": pred.metrics["test_macro_f1"]}))


if __name__ == "__main__":
    main()
