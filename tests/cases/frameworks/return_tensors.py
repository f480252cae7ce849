"""What takes return_tensors="pt" gives CPU tensors, whoever it is."""
import torch


class Encoder:
    def __init__(self, tokenizer, text_encoder, device="cuda"):
        self.tokenizer = tokenizer
        self.text_encoder = text_encoder.to(device)
        self.device = device

    def encode(self, prompts, tokenizer):
        for prompt in prompts:
            tokens = tokenizer(prompt, padding=True, return_tensors="pt").to(self.device)  # sync: copy-to-device
            text = self.tokenizer(text=prompt, return_tensors="pt")
            ids = text.input_ids.to(self.device)  # sync: copy-to-device
            lists = self.tokenizer(prompt, return_tensors="np")
            yield self.text_encoder(ids), tokens.attention_mask, lists

    def follow(self, images, processor):
        for image in images:
            pixels = image.cuda(non_blocking=True)
            moved = processor(pixels, return_tensors="pt").to(self.device)
            made = processor(image, return_tensors="pt", device=self.device)
            yield moved, made["pixel_values"].to(self.device)
