"""Speech in one language, text in another: nn.Transformer over a subsampled spectrogram, float16, gradients of two batches added up."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--batch-size", type=int, default=48)
parser.add_argument("--frames", type=int, default=1600)
parser.add_argument("--mels", type=int, default=80)
parser.add_argument("--text-len", type=int, default=72)
parser.add_argument("--vocab", type=int, default=10000)
parser.add_argument("--d-model", type=int, default=768)
parser.add_argument("--nhead", type=int, default=12)
parser.add_argument("--enc-layers", type=int, default=8)
parser.add_argument("--dec-layers", type=int, default=4)
parser.add_argument("--ffn", type=int, default=3072)
parser.add_argument("--lr", type=float, default=1e-6)
parser.add_argument("--accumulate", type=int, default=2)
parser.add_argument("--clip", type=float, default=5.0)
args, _ = parser.parse_known_args()
device = torch.device("cuda")


class SpeechTranslator(nn.Module):
    def __init__(self, mels, d_model, nhead, enc_layers, dec_layers, ffn, vocab, frames, text_len):
        super().__init__()
        self.subsample = nn.Sequential(
            nn.Conv1d(mels, d_model, kernel_size=3, stride=2, padding=1), nn.GELU(),
            nn.Conv1d(d_model, d_model, kernel_size=3, stride=2, padding=1), nn.GELU())
        self.audio_pos = nn.Parameter(torch.zeros(1, frames // 4, d_model))
        self.text_pos = nn.Parameter(torch.zeros(1, text_len, d_model))
        self.embed = nn.Embedding(vocab, d_model, padding_idx=0)
        self.transformer = nn.Transformer(d_model, nhead, enc_layers, dec_layers, ffn, dropout=0.1, activation="gelu",
                                          batch_first=True, norm_first=True)
        self.register_buffer("future", torch.triu(torch.ones(text_len, text_len, dtype=torch.bool), diagonal=1))
        self.out = nn.Linear(d_model, vocab)

    def forward(self, audio, text, padded, text_is_causal):
        source = self.subsample(audio).transpose(1, 2) + self.audio_pos
        target = self.embed(text) + self.text_pos[:, : text.size(1)]
        future = self.future[: text.size(1), : text.size(1)]
        hidden = self.transformer(source, target, tgt_mask=future, src_key_padding_mask=padded, memory_key_padding_mask=padded,
                                  tgt_is_causal=text_is_causal)
        return self.out(hidden)


model = SpeechTranslator(args.mels, args.d_model, args.nhead, args.enc_layers, args.dec_layers, args.ffn, args.vocab,
                         args.frames, args.text_len).to(device)
criterion = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.98), fused=True)
scaler = torch.amp.GradScaler("cuda", init_scale=1024.0)

spectrograms = [torch.randn(args.batch_size, args.mels, args.frames) for _ in range(6)]
pinned_spectrograms = [one.pin_memory() for one in spectrograms]
lengths = [torch.randint(args.frames // 8, args.frames // 4, (args.batch_size,)).tolist() for _ in range(6)]
pinned_lengths = [torch.tensor(one).pin_memory() for one in lengths]
texts = [torch.randint(1, args.vocab, (args.batch_size, args.text_len + 1), device=device) for _ in range(6)]
places = torch.arange(args.frames // 4, device=device)[None]
optimizer_steps, losses = [0], []


def train(steps):
    model.train()
    for i in range(steps):
        audio = pinned_spectrograms[i % 6].to(device, non_blocking=True)  #- upload
        #+ upload: audio = spectrograms[i % 6].to(device)
        length = pinned_lengths[i % 6].to(device, non_blocking=True)  #- lengths
        #+ lengths: length = torch.tensor(lengths[i % 6], device=device)
        text = texts[i % 6]
        padded = places >= length[:, None]
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            logits = model(audio, text[:, :-1], padded, True)  #- causal
            #+ causal: logits = model(audio, text[:, :-1], padded, None)
            loss = criterion(logits.flatten(0, 1), text[:, 1:].flatten())
        #+ item-forward: losses.append(loss.item())
        scaler.scale(loss / args.accumulate).backward()
        if (i + 1) % args.accumulate == 0:
            scaler.unscale_(optimizer)
            norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            #+ norm: if torch.isfinite(norm): optimizer_steps[0] += 1
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
        #+ item-end: losses.append(loss.item())
        #+ wer: wrong = int((logits.detach().argmax(-1) != text[:, 1:]).sum())
        #+ print: print(f"\r{i}/{steps} loss {loss.item():.3f} scale {scaler.get_scale():.0f}", end="")


if __name__ == "__main__":
    train(60)
