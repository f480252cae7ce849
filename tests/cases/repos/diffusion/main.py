from diffusion import GaussianDiffusion, Unet
from trainer import Trainer

model = Unet(dim=64)
diffusion = GaussianDiffusion(model, image_size=64, timesteps=1000)
trainer = Trainer(diffusion, "data/flowers", train_batch_size=32, gradient_accumulate_every=2, amp=True)
trainer.train()
