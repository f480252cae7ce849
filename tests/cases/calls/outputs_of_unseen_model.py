"""What a model gives that somebody passes in: a structure of tensors on the GPU, asked for its loss and logits."""
import torch
from tqdm import tqdm


@torch.no_grad()
def evaluate(model, dataloader, device):
    model.eval()
    preds, labels, total = [], [], 0.0
    for batch in tqdm(dataloader):
        batch = {k: v.to(device) for k, v in batch.items()}  # sync: copy-to-device
        outputs = model(**batch)
        total += outputs.loss.item()  # sync: host-read
        probs = outputs.logits.softmax(-1)
        preds.extend(probs.argmax(-1).cpu().tolist())  # sync: copy-to-host
        labels.extend(batch["labels"].tolist())  # sync: host-read
    return total / len(dataloader)


@torch.no_grad()
def evaluate_pairs(model, dataloader, device):
    hits = 0
    for images, targets in dataloader:
        logits, features = model(images.to(device))  # sync: copy-to-device
        hits += (logits.argmax(1) == targets.to(device)).sum().item()  # sync: copy-to-device, host-read
        if features.norm() > 100:  # sync: tensor-truth
            break
    return hits


def predict(model, tokenizer, texts, device="cuda"):
    out = []
    for text in texts:
        enc = tokenizer(text, return_tensors="pt").to(device)  # sync: copy-to-device
        logits = model(**enc).logits
        score = torch.sigmoid(logits[0, 0]).item()  # sync: host-read
        if logits.argmax() == 1:  # sync: tensor-truth
            out.append(score)
    return out


def generate(model, tokenizer, prompt, n):
    ids = tokenizer(prompt, return_tensors="pt").input_ids.to(model.device)  # missed: copy-to-device
    for _ in range(n):
        logits = model(ids).logits[:, -1]
        following = torch.multinomial(logits.softmax(-1), 1)
        ids = torch.cat([ids, following], -1)
        if following.item() == tokenizer.eos_token_id:  # sync: host-read
            break
    return tokenizer.decode(ids[0].tolist())  # missed: host-read


def on_the_host(model, rows):
    """Nothing is on the GPU here: the rows are made and asked on the CPU."""
    model = model.cpu()
    for row in rows:
        out = model(torch.tensor(row))
        print(out.logits.max().item())
