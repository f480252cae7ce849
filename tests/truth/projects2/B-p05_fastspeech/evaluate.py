import os

import numpy as np
import torch

import hparams as hp
from dataset import get_loader
from text import sequence_to_text
from utils.tools import device, mel_cepstral_distance


def to_device(b):
    text = torch.from_numpy(b["text"]).long().to(device)
    mel_target = torch.from_numpy(b["mel_target"]).float().to(device)
    D = torch.from_numpy(b["D"]).long().to(device)
    log_D = torch.from_numpy(b["log_D"]).float().to(device)
    f0 = torch.from_numpy(b["f0"]).float().to(device)
    energy = torch.from_numpy(b["energy"]).float().to(device)
    src_len = torch.from_numpy(b["src_len"]).long().to(device)
    mel_len = torch.from_numpy(b["mel_len"]).long().to(device)
    max_src_len = np.max(b["src_len"]).astype(np.int32)
    max_mel_len = np.max(b["mel_len"]).astype(np.int32)
    return text, mel_target, D, log_D, f0, energy, src_len, mel_len, int(max_src_len), int(max_mel_len)


def evaluate(model, Loss, step):
    model.eval()
    losses = []
    with torch.no_grad():
        for batchs in get_loader("val.txt", train=False):
            for b in batchs:
                text, mel_t, D, log_D, f0, energy, src_len, mel_len, max_src, max_mel = to_device(b)
                out = model(text, src_len, mel_len, D, f0, energy, max_src, max_mel)
                mel, post, d, p, e, src_mask, mel_mask, _ = out
                l = Loss(d, log_D, p, f0, e, energy, mel, post, mel_t, ~src_mask, ~mel_mask)
                losses.append([x.item() for x in l])
    means = np.mean(losses, axis=0)
    str_v = "Step {}, mel {:.4f}, postnet {:.4f}, duration {:.4f}, F0 {:.4f}, energy {:.4f}".format(step, *means)
    with open(os.path.join(hp.log_path, "eval.txt"), "a") as f_log:
        f_log.write(str_v + "\n")
    print("[eval] " + str_v)
    model.train()
    return float(means.sum())


def synthesize(model, step, n=4):
    """free running: durations, pitch and energy from the predictors"""
    model.eval()
    os.makedirs(hp.synth_path, exist_ok=True)
    b = next(iter(get_loader("val.txt", train=False)))[0]
    mcd, ratio = [], []
    for i in range(min(n, len(b["id"]))):
        T = int(b["src_len"][i])
        text = torch.from_numpy(b["text"][i:i + 1, :T]).long().to(device)
        src_len = torch.from_numpy(b["src_len"][i:i + 1]).long().to(device)
        with torch.no_grad():
            mel, mel_postnet, log_d, _, _, _, _, mel_len = model(text, src_len)
        out = mel_postnet[0].detach().cpu().numpy()
        ref = b["mel_target"][i][:b["mel_len"][i]]
        mcd.append(mel_cepstral_distance(out, ref))
        ratio.append(mel_len.item() / len(ref))
        np.save(os.path.join(hp.synth_path, "{}_{}.npy".format(step, b["id"][i])), out)
        if i == 0:
            print(sequence_to_text(text[0].cpu().numpy()))
    print("[synth] step {} distance {:.3f} length ratio {:.3f}".format(step, np.mean(mcd), np.mean(ratio)))
    model.train()
