"""Metrics of the evaluate library bring each batch to the host; of arrays there is nothing to bring."""
import evaluate
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification


def main(train_set, eval_set, collate):
    accelerator = Accelerator()
    model = AutoModelForSequenceClassification.from_pretrained("bert-base-cased")
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
    loader = DataLoader(train_set, batch_size=8, collate_fn=collate)
    eval_loader = DataLoader(eval_set, batch_size=8, collate_fn=collate)
    model, optimizer, loader, eval_loader = accelerator.prepare(model, optimizer, loader, eval_loader)
    metric = evaluate.load("glue", "mrpc")
    quiet = evaluate.load("accuracy")
    for epoch in range(3):
        for batch in loader:  # sync: copy-to-device
            loss = model(**batch).loss  # sync: library-wait
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        for batch in eval_loader:  # sync: copy-to-device
            with torch.no_grad():
                logits = model(**batch).logits  # sync: library-wait
            predictions, references = accelerator.gather_for_metrics((logits.argmax(dim=-1), batch["labels"]))
            metric.add_batch(predictions=predictions, references=references)  # sync: copy-to-host
            arrays = predictions.cpu().numpy()  # sync: copy-to-host
            quiet.add_batch(predictions=arrays, references=arrays)
        print(epoch, metric.compute(), quiet.compute())
