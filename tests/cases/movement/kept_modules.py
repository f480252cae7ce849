# options: --min-confidence possible
"""A module that a variable has from elsewhere is moved by the first turn, and there at the next; one that is made in each turn
is moved in each."""
import torch
import torchaudio
from torch import nn
from torch.nn import functional as F
from transformers import T5EncoderModel

ENCODERS = {}


def encoder_of(name: str):
    if name not in ENCODERS:
        ENCODERS[name] = (T5EncoderModel.from_pretrained(name), name.split("/")[-1])
    return ENCODERS[name]


def embed(ids: torch.Tensor, name: str = "google/t5-v1_1-base"):
    encoder, _ = encoder_of(name)
    if torch.cuda.is_available():
        encoder = encoder.cuda()
    with torch.no_grad():
        return encoder(input_ids=ids).last_hidden_state


class Trainer:
    def __init__(self, rate: int):
        self.device = torch.device("cuda")
        self.model = nn.Linear(768, 80).to(self.device)
        self.discriminator = nn.Linear(80, 1)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4)
        self.rate = rate

    def step(self, ids, waves):
        self.discriminator.to(self.device)
        mels = torchaudio.transforms.MelSpectrogram(self.rate, n_mels=80).to(waves.device)  # sync: copy-to-device likely
        head = nn.Linear(80, 80)
        head.to(self.device)  # sync: copy-to-device likely
        out = head(self.model(embed(ids))).mean(dim=1)
        loss = F.l1_loss(out, mels(waves).mean(dim=-1)) - self.discriminator(out).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def train(self, loader):
        for ids, waves in loader:
            ids = ids.to(self.device, non_blocking=True)
            waves = waves.to(self.device, non_blocking=True)
            self.step(ids, waves)


def main():
    data = torch.utils.data.TensorDataset(torch.zeros(64, 32, dtype=torch.long), torch.rand(64, 16000))
    Trainer(16000).train(torch.utils.data.DataLoader(data, batch_size=8, pin_memory=True))


main()
