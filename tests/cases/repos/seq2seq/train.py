import math

import torch
from torch import nn, optim

from corpus import batches, sentences
from model import Decoder, Encoder, Seq2Seq

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(model, iterator, optimizer, criterion, clip):
    model.train()
    epoch_loss = 0
    for i, batch in enumerate(iterator):
        src, src_len = batch.src
        trg = batch.trg
        optimizer.zero_grad()
        output = model(src, src_len, trg)
        output = output[1:].view(-1, output.shape[-1])
        loss = criterion(output, trg[1:].view(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        epoch_loss += loss.item()  # sync: host-read
    return epoch_loss / len(iterator)


def evaluate(model, pairs):
    model.eval()
    right = 0
    for src, ref in pairs:
        x = torch.tensor(src, device=device)[:, None]  # sync: tensor-from-host
        n = torch.tensor([len(src)], device=device)  # sync: tensor-from-host
        right += model.translate(x, n, 1, 2) == ref
    return right


def main():
    model = Seq2Seq(Encoder(8000, 256), Decoder(8000, 256), device).to(device)
    optimizer = optim.Adam(model.parameters())
    criterion = nn.CrossEntropyLoss(ignore_index=0)
    for epoch in range(10):
        loss = train(model, batches(device), optimizer, criterion, 1)
        print(f"Loss: {loss:.3f} PPL: {math.exp(loss):7.3f} {evaluate(model, sentences())}")


main()
