"""A pipeline's __call__ without gradients is run for one prompt after another, though nobody in sight calls it."""
import torch


class Pipeline:
    def __init__(self, tokenizer, denoiser, decoder):
        self.tokenizer = tokenizer
        self.denoiser = denoiser.cuda()
        self.decoder = decoder.cuda()

    @property
    def device(self):
        return next(self.denoiser.parameters()).device

    def encode(self, prompt):
        tokens = self.tokenizer(prompt, padding="max_length", return_tensors="pt").to(self.device)  # sync: copy-to-device
        mask = tokens.attention_mask
        if mask.all():  # sync: tensor-truth
            mask = None
        return tokens.input_ids, mask

    @torch.no_grad()
    def __call__(self, prompt, steps=20):
        ids, mask = self.encode(prompt)
        x = torch.randn(1, 4, 64, 64, device=self.device)
        for t in range(steps):
            x = self.denoiser(x, ids, mask)
        return self.decoder(x).cpu().numpy()  # sync: copy-to-host


class Settings:
    def __call__(self, model):
        return model.weight.cpu()
