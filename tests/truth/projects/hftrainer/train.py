import argparse
import os

import numpy as np
import torch
from transformers import (DistilBertConfig, DistilBertForSequenceClassification, EarlyStoppingCallback,
                          TrainingArguments, set_seed)

from data_utils import LABELS, PAD, PadCollator, ReviewDataset, WordTokenizer
from trainers import JsonlCallback, RDropTrainer, ThroughputAndNormCallback, compute_metrics


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--output_dir", default="out/rdrop")
    p.add_argument("--epochs", type=float, default=3)
    p.add_argument("--bs", type=int, default=16)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--alpha", type=float, default=0.5)
    p.add_argument("--focal", type=float, default=0.0)
    p.add_argument("--seed", type=int, default=42)
    return p.parse_args()


def build_model(vocab_size):
    config = DistilBertConfig(vocab_size=vocab_size, dim=64, n_layers=2, n_heads=4, hidden_dim=128,
                              max_position_embeddings=64, pad_token_id=PAD, num_labels=len(LABELS),
                              id2label=dict(enumerate(LABELS)), label2id={l: i for i, l in enumerate(LABELS)})
    return DistilBertForSequenceClassification(config)


def main():
    args = get_args()
    set_seed(args.seed)
    tokenizer = WordTokenizer()
    train_ds = ReviewDataset(tokenizer, 384, seed=0)
    eval_ds = ReviewDataset(tokenizer, 128, seed=1)

    training_args = TrainingArguments(
        output_dir=args.output_dir,
        num_train_epochs=args.epochs,
        per_device_train_batch_size=args.bs,
        per_device_eval_batch_size=args.bs * 2,
        gradient_accumulation_steps=2,
        learning_rate=args.lr,
        weight_decay=0.01,
        warmup_steps=4,
        label_smoothing_factor=0.05,
        lr_scheduler_type="cosine",
        eval_strategy="epoch",
        save_strategy="epoch",
        save_total_limit=2,
        load_best_model_at_end=True,
        metric_for_best_model="macro_f1",
        logging_steps=5,
        bf16=torch.cuda.is_available() and torch.cuda.is_bf16_supported(),
        disable_tqdm=True,
        report_to="none",
        seed=args.seed,
    )
    trainer = RDropTrainer(
        model=build_model(len(tokenizer)),
        args=training_args,
        train_dataset=train_ds,
        eval_dataset=eval_ds,
        data_collator=PadCollator(),
        compute_metrics=compute_metrics,
        class_weights=train_ds.class_weights(),
        rdrop_alpha=args.alpha,
        focal_gamma=args.focal,
        callbacks=[JsonlCallback(os.path.join(args.output_dir, "log.jsonl")), ThroughputAndNormCallback(10),
                   EarlyStoppingCallback(early_stopping_patience=5)],
    )
    result = trainer.train()
    print({k: round(v, 4) for k, v in result.metrics.items()})
    print(trainer.evaluate())

    pred = trainer.predict(eval_ds)
    cm = np.zeros((3, 3), dtype=int)
    np.add.at(cm, (pred.label_ids, pred.predictions.argmax(-1)), 1)
    print("confusion:\n", cm)

    # quick sanity check by hand
    model = trainer.model.eval()
    for text in ["the movie is truly great", "her acting is very dull and the script is weak", "the ending is okay"]:
        enc = {k: torch.tensor([v], device=model.device) for k, v in tokenizer(text).items()}
        with torch.no_grad():
            probs = model(**enc).logits.softmax(-1)[0]
        print(f"{text!r} -> {LABELS[probs.argmax().item()]} ({probs.max().item():.2f})")


if __name__ == "__main__":
    main()
