"""Datasets of the Hugging Face kind prepared with map and filter: functions over lists of Python values."""
import numpy as np
from datasets import load_dataset
from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
LIMIT = 384


def clean(row):
    row["text"] = " ".join(row["text"].split())
    row["length"] = len(row["text"])
    return row


def long_enough(row):
    return row["length"] > 20 and row["label"] >= 0


def encode(rows):
    encoded = tokenizer(rows["text"], truncation=True, max_length=LIMIT, return_overflowing_tokens=True, stride=64)
    labels, sizes = [], []
    for i, source in enumerate(encoded["overflow_to_sample_mapping"]):
        labels.append(rows["label"][source])
        sizes.append(len(encoded["input_ids"][i]))
    encoded["labels"] = labels
    encoded["size"] = sizes
    return encoded


def group(rows, block=512):
    joined = {key: sum(values, []) for key, values in rows.items() if key in ("input_ids", "attention_mask")}
    total = len(joined["input_ids"]) // block * block
    out = {key: [ids[i : i + block] for i in range(0, total, block)] for key, ids in joined.items()}
    out["labels"] = [list(ids) for ids in out["input_ids"]]
    return out


def statistics(data):
    sizes = np.array(data["size"])
    counts = np.bincount(np.array(data["labels"]))
    for label, n in enumerate(counts.tolist()):
        print(label, n, f"{n / counts.sum().item():.1%}")
    if sizes.max() >= LIMIT:
        print("cut:", (sizes >= LIMIT).mean().item())
    return {"mean": sizes.mean().item(), "p99": np.percentile(sizes, 99).item()}


def numpy_batches(data, size):
    ids = data.with_format("numpy")
    for start in range(0, len(ids), size):
        batch = ids[start : start + size]
        width = max(len(row) for row in batch["input_ids"])
        padded = np.zeros((len(batch["input_ids"]), width), dtype=np.int64)
        for i, row in enumerate(batch["input_ids"]):
            padded[i, : len(row)] = row
        if (padded == tokenizer.unk_token_id).any():
            print("unknown tokens at", start, padded[padded == tokenizer.unk_token_id].tolist()[:3])
        yield padded


def main():
    data = load_dataset("imdb", split="train").map(clean).filter(long_enough)
    data = data.map(encode, batched=True, remove_columns=data.column_names)
    print(statistics(data))
    for batch in numpy_batches(data, 256):
        print(batch.shape, batch.max().item())


main()
