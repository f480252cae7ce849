"""denoising_diffusion_pytorch: the Trainer on a folder of pictures, and each kind of diffusion in a loop of its own."""
import os

import numpy as np
import torch
from PIL import Image

from denoising_diffusion_pytorch import (ContinuousTimeGaussianDiffusion, Dataset1D, ElucidatedDiffusion, GaussianDiffusion, GaussianDiffusion1D,
                                         KarrasUnet, LearnedGaussianDiffusion, Trainer, Trainer1D, Unet, Unet1D,
                                         VParamContinuousTimeGaussianDiffusion, WeightedObjectiveGaussianDiffusion)
from denoising_diffusion_pytorch.classifier_free_guidance import GaussianDiffusion as GuidedByClass
from denoising_diffusion_pytorch.classifier_free_guidance import Unet as ClassUnet
from denoising_diffusion_pytorch.repaint import GaussianDiffusion as Repaint
from denoising_diffusion_pytorch.repaint import Unet as RepaintUnet
from denoising_diffusion_pytorch.simple_diffusion import GaussianDiffusion as SimpleDiffusion
from denoising_diffusion_pytorch.simple_diffusion import UViT

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def trainer():
    os.makedirs("pictures", exist_ok=True)
    for i in range(120):
        Image.fromarray(np.random.randint(0, 255, (32, 32, 3), dtype=np.uint8)).save(f"pictures/{i}.png")
    diffusion = GaussianDiffusion(Unet(dim=16, dim_mults=(1, 2)), image_size=32, timesteps=20, sampling_timesteps=5)
    Trainer(diffusion, "pictures", train_batch_size=8, train_lr=8e-5, train_num_steps=8, gradient_accumulate_every=2, save_and_sample_every=4,
            num_samples=4, calculate_fid=False, amp=False, results_folder="results").train()


def trainer_1d():
    diffusion = GaussianDiffusion1D(Unet1D(dim=16, dim_mults=(1, 2), channels=4), seq_length=32, timesteps=20, objective="pred_v")
    dataset = Dataset1D(torch.rand(64, 4, 32))
    Trainer1D(diffusion, dataset=dataset, train_batch_size=8, train_lr=8e-5, train_num_steps=6, gradient_accumulate_every=2, save_and_sample_every=3,
              num_samples=4, amp=False, results_folder="results1d").train()
    for _ in range(3):
        diffusion.sample(batch_size=2)


def train(diffusion, steps=4, size=32, samples=3, **sampling):
    diffusion = diffusion.to(device)
    optimizer = torch.optim.Adam(diffusion.parameters(), lr=1e-4)
    for step in range(steps):
        images = torch.rand(4, 3, size, size, device=device)
        loss = diffusion(images)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 2 == 0:
            print(f"step {step} loss {loss.item():.4f}")
    for _ in range(samples):
        diffusion.sample(batch_size=2, **sampling)


def learned():
    train(LearnedGaussianDiffusion(Unet(dim=16, dim_mults=(1, 2), learned_variance=True), image_size=32, timesteps=10))


def weighted():
    train(WeightedObjectiveGaussianDiffusion(Unet(dim=16, dim_mults=(1, 2), out_dim=8), image_size=32, timesteps=10))


def continuous():
    train(ContinuousTimeGaussianDiffusion(Unet(dim=16, dim_mults=(1, 2), random_fourier_features=True), image_size=32, num_sample_steps=6))


def v_param():
    train(VParamContinuousTimeGaussianDiffusion(Unet(dim=16, dim_mults=(1, 2), random_fourier_features=True), image_size=32, num_sample_steps=6))


def elucidated():
    model = ElucidatedDiffusion(Unet(dim=16, dim_mults=(1, 2), random_fourier_features=True), image_size=32, num_sample_steps=6)
    train(model)
    for _ in range(3):
        model.sample_using_dpmpp(batch_size=2)


def ddim():
    train(GaussianDiffusion(Unet(dim=16, dim_mults=(1, 2), self_condition=True), image_size=32, timesteps=20, sampling_timesteps=5, objective="pred_noise"))
    model = GaussianDiffusion(Unet(dim=16, dim_mults=(1, 2)), image_size=32, timesteps=8).to(device)
    for _ in range(3):
        model.interpolate(torch.rand(2, 3, 32, 32, device=device), torch.rand(2, 3, 32, 32, device=device))
        model.sample(2, return_all_timesteps=True)


def karras():
    model = KarrasUnet(image_size=32, dim=32, dim_max=64, num_classes=4, num_downsamples=2, num_blocks_per_stage=1, attn_res=(8,)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(4):
        out = model(torch.rand(2, 4, 32, 32, device=device), time=torch.rand(2, device=device), class_labels=torch.randint(0, 4, (2,), device=device))
        out.square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def classes():
    model = GuidedByClass(ClassUnet(dim=16, dim_mults=(1, 2), num_classes=5, cond_drop_prob=0.5), image_size=32, timesteps=10, sampling_timesteps=5).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(4):
        images, labels = torch.rand(4, 3, 32, 32, device=device), torch.randint(0, 5, (4,), device=device)
        loss = model(images, classes=labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    for _ in range(3):
        model.sample(classes=torch.randint(0, 5, (2,), device=device), cond_scale=6.0)


def repaint():
    model = Repaint(RepaintUnet(dim=16, dim_mults=(1, 2)), image_size=32, timesteps=6).to(device)
    images = torch.rand(2, 3, 32, 32, device=device)
    mask = torch.ones(2, 3, 32, 32, device=device)
    mask[:, :, 8:16] = 0
    for _ in range(3):
        model(images).backward()
        model.sample(gt=images, mask=mask, batch_size=2, resample=True, resample_iter=2, resample_jump=2, resample_every=3)


def simple():
    train(SimpleDiffusion(UViT(dim=16, dim_mults=(1, 2), vit_depth=1, attn_heads=2, attn_dim_head=8), image_size=32, num_sample_steps=6))


if __name__ == "__main__":
    for work in (trainer, trainer_1d, learned, weighted, continuous, v_param, elucidated, ddim, karras, classes, repaint, simple):
        work()
