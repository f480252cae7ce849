"""A masked autoencoder: a quarter of the patches goes through the encoder, all of them through a smaller decoder."""
import torch
import torch.nn as nn

batch_size, image_size, patch_size = 192, 176, 16
encoder_dim, encoder_depth, encoder_heads = 768, 4, 12
decoder_dim, decoder_depth, decoder_heads = 512, 2, 8
mask_ratio = 0.75
device = torch.device("cuda")


def encoder_layer(dim, heads):
    return nn.TransformerEncoderLayer(d_model=dim, nhead=heads, dim_feedforward=4 * dim, dropout=0.0,
                                      activation="gelu", batch_first=True, norm_first=True)


class MaskedAutoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.num_patches = (image_size // patch_size) ** 2
        self.keep = int(self.num_patches * (1 - mask_ratio))
        self.patch_embed = nn.Conv2d(3, encoder_dim, kernel_size=patch_size, stride=patch_size)
        self.pos_embed = nn.Parameter(torch.randn(1, self.num_patches, encoder_dim) * 0.02)
        self.encoder = nn.ModuleList([encoder_layer(encoder_dim, encoder_heads) for _ in range(encoder_depth)])
        self.norm = nn.LayerNorm(encoder_dim)
        self.decoder_embed = nn.Linear(encoder_dim, decoder_dim)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, decoder_dim))
        self.decoder_pos_embed = nn.Parameter(torch.randn(1, self.num_patches, decoder_dim) * 0.02)
        self.decoder = nn.ModuleList([encoder_layer(decoder_dim, decoder_heads) for _ in range(decoder_depth)])
        self.decoder_norm = nn.LayerNorm(decoder_dim)
        self.decoder_pred = nn.Linear(decoder_dim, patch_size * patch_size * 3)

    def patchify(self, images):
        side = image_size // patch_size
        x = images.reshape(images.shape[0], 3, side, patch_size, side, patch_size)
        return x.permute(0, 2, 4, 3, 5, 1).reshape(images.shape[0], side * side, patch_size ** 2 * 3)

    def forward(self, images):
        x = self.patch_embed(images).flatten(2).transpose(1, 2) + self.pos_embed
        noise = torch.rand(x.shape[0], self.num_patches, device=x.device)
        shuffle = noise.argsort(dim=1)
        restore = shuffle.argsort(dim=1)
        kept = shuffle[:, :self.keep]
        x = x.gather(1, kept.unsqueeze(-1).expand(-1, -1, encoder_dim))
        for block in self.encoder:
            x = block(x)
        x = self.decoder_embed(self.norm(x))
        missing = self.mask_token.expand(x.shape[0], self.num_patches - self.keep, -1).to(x.dtype)
        x = torch.cat([x, missing], dim=1)
        x = x.gather(1, restore.unsqueeze(-1).expand(-1, -1, decoder_dim)) + self.decoder_pos_embed
        for block in self.decoder:
            x = block(x)
        predicted = self.decoder_pred(self.decoder_norm(x))
        mask = torch.ones_like(noise).scatter(1, kept, 0.0)
        return predicted, mask


model = MaskedAutoencoder().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, betas=(0.9, 0.95), weight_decay=0.05)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10_000_000)
pageable = [torch.randint(0, 256, (batch_size, 3, image_size, image_size), dtype=torch.uint8) for _ in range(4)]
pinned = [images.pin_memory() for images in pageable]
log = []


def train(steps):
    model.train()
    for step in range(steps):
        images = pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: images = pageable[step % 4].to(device)
        images = images.float().div(255).sub(0.5).div(0.25)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            predicted, mask = model(images)
        target = model.patchify(images)
        per_patch = (predicted.float() - target).pow(2).mean(dim=-1)
        loss = (per_patch * mask).sum() / mask.sum()  #- hidden
        #+ hidden: loss = per_patch[mask.bool()].mean()
        #+ item-forward: log.append(loss.item())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        #+ item-backward: log.append(loss.item())
        optimizer.step()
        scheduler.step()
        #+ item-end: log.append(loss.item())
        #+ worst: log.append(per_patch.detach().max(dim=1).values.argmax().item())
        #+ picture: shown = predicted[0].detach().float().cpu().numpy()
        #+ print: print(f"step {step}", loss.detach())
        #+ tenth: if step % 10 == 0: log.append(loss.item())


if __name__ == "__main__":
    train(1000)
