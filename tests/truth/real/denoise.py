"""diffusers: each scheduler in a denoising loop, small pipelines, training of a network."""
import diffusers as D
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _unet(**more):
    return D.UNet2DModel(sample_size=16, in_channels=3, out_channels=3, layers_per_block=1, block_out_channels=(16, 32), norm_num_groups=8, down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"), attention_head_dim=8, **more).to(device)


def _denoise(kind, steps=5, **options):
    scheduler = kind(**options)
    unet = _unet().eval()
    for _ in range(3):
        scheduler.set_timesteps(steps, device=device)
        sample = torch.randn(2, 3, 16, 16, device=device) * getattr(scheduler, "init_noise_sigma", 1.0)
        with torch.no_grad():
            for t in scheduler.timesteps:
                model_input = scheduler.scale_model_input(sample, t) if hasattr(scheduler, "scale_model_input") else sample
                noise = unet(model_input, t.float()).sample
                sample = scheduler.step(noise, t, sample).prev_sample


def _each(kinds, **options):
    for kind in kinds:
        try:
            _denoise(kind, **options)
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def first_schedulers():
    _each((D.DDPMScheduler, D.DDIMScheduler, D.PNDMScheduler, D.LMSDiscreteScheduler, D.EulerDiscreteScheduler, D.EulerAncestralDiscreteScheduler, D.HeunDiscreteScheduler, D.KDPM2DiscreteScheduler, D.KDPM2AncestralDiscreteScheduler))


def second_schedulers():
    _each((D.DPMSolverMultistepScheduler, D.DPMSolverSinglestepScheduler, D.DEISMultistepScheduler, D.UniPCMultistepScheduler, D.SASolverScheduler, D.EDMEulerScheduler, D.EDMDPMSolverMultistepScheduler, D.LCMScheduler, D.TCDScheduler, D.DDIMInverseScheduler, D.DDPMParallelScheduler, D.DDIMParallelScheduler))


def karras_schedulers():
    _each((D.DPMSolverMultistepScheduler, D.EulerDiscreteScheduler, D.HeunDiscreteScheduler, D.KDPM2DiscreteScheduler, D.UniPCMultistepScheduler, D.LMSDiscreteScheduler), use_karras_sigmas=True)
    _each((D.DPMSolverMultistepScheduler, D.DDPMScheduler), thresholding=True)


def flow_schedulers():
    _each((D.FlowMatchEulerDiscreteScheduler, D.FlowMatchHeunDiscreteScheduler, D.FlowMatchLCMScheduler))


def train():
    unet, scheduler = _unet(), D.DDPMScheduler(num_train_timesteps=100)
    optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-4)
    schedule = D.optimization.get_cosine_schedule_with_warmup(optimizer, 2, 10)
    ema = D.training_utils.EMAModel(unet.parameters(), use_ema_warmup=True)
    for step in range(6):
        images = torch.rand(4, 3, 16, 16, device=device)
        noise = torch.randn_like(images)
        timesteps = torch.randint(0, 100, (4,), device=device).long()
        noisy = scheduler.add_noise(images, noise, timesteps)
        loss = torch.nn.functional.mse_loss(unet(noisy, timesteps).sample, noise)
        weights = D.training_utils.compute_snr(scheduler, timesteps)
        (loss * weights.mean().clamp(max=5)).backward()
        torch.nn.utils.clip_grad_norm_(unet.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        ema.step(unet.parameters())
        print({"loss": loss.detach().item(), "lr": schedule.get_last_lr()[0]})


def pipelines():
    for pipeline in (D.DDPMPipeline(_unet(), D.DDPMScheduler()), D.DDIMPipeline(_unet(), D.DDIMScheduler())):
        pipeline.set_progress_bar_config(disable=True)
        for _ in range(3):
            pipeline(batch_size=2, num_inference_steps=4)
            pipeline(batch_size=2, num_inference_steps=4, output_type="np")


def _text():
    import transformers as T
    return T.CLIPTextModel(T.CLIPTextConfig(vocab_size=100, hidden_size=32, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, max_position_embeddings=16, eos_token_id=2))


def stable_diffusion():
    unet = D.UNet2DConditionModel(sample_size=8, in_channels=4, out_channels=4, layers_per_block=1, block_out_channels=(16, 32), norm_num_groups=8, down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"), up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"), cross_attention_dim=32, attention_head_dim=8)
    vae = D.AutoencoderKL(block_out_channels=[16, 16], norm_num_groups=8, down_block_types=["DownEncoderBlock2D"] * 2, up_block_types=["UpDecoderBlock2D"] * 2, latent_channels=4, sample_size=16)
    for kind in (D.StableDiffusionPipeline, D.StableDiffusionImg2ImgPipeline, D.StableDiffusionInpaintPipeline):
        try:
            pipeline = kind(vae=vae, text_encoder=_text(), tokenizer=None, unet=unet, scheduler=D.PNDMScheduler(skip_prk_steps=True), safety_checker=None, feature_extractor=None, requires_safety_checker=False).to(device)
            pipeline.set_progress_bar_config(disable=True)
            for turn in range(3):
                words = torch.randn(1, 8, 32, device=device)
                common = dict(prompt_embeds=words, negative_prompt_embeds=torch.zeros_like(words), num_inference_steps=4, guidance_scale=5.0, output_type="np" if turn else "pil")
                if kind is D.StableDiffusionPipeline:
                    pipeline(height=16, width=16, **common)
                elif kind is D.StableDiffusionImg2ImgPipeline:
                    pipeline(image=torch.rand(1, 3, 16, 16, device=device), strength=0.8, **common)
                else:
                    pipeline(image=torch.rand(1, 3, 16, 16), mask_image=torch.ones(1, 1, 16, 16), height=16, width=16, strength=0.9, **common)
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def autoencoders():
    vae = D.AutoencoderKL(block_out_channels=[16, 16], norm_num_groups=8, down_block_types=["DownEncoderBlock2D"] * 2, up_block_types=["UpDecoderBlock2D"] * 2, latent_channels=4).to(device)
    vq = D.VQModel(block_out_channels=[16, 16], norm_num_groups=8, down_block_types=["DownEncoderBlock2D"] * 2, up_block_types=["UpDecoderBlock2D"] * 2, latent_channels=3, num_vq_embeddings=16).to(device)
    optimizer = torch.optim.Adam([*vae.parameters(), *vq.parameters()])
    vae.enable_tiling(), vae.enable_slicing()
    for _ in range(3):
        x = torch.rand(2, 3, 32, 32, device=device)
        posterior = vae.encode(x).latent_dist
        loss = (vae.decode(posterior.sample()).sample - x).square().mean() + posterior.kl().mean() * 1e-4 + vq(x).sample.square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def transformer():
    dit = D.DiTTransformer2DModel(num_attention_heads=2, attention_head_dim=8, in_channels=4, num_layers=1, sample_size=8, patch_size=2, num_embeds_ada_norm=100, norm_num_groups=4).to(device)
    for kind, options in ((D.SD3Transformer2DModel, dict(sample_size=8, patch_size=2, in_channels=4, num_layers=1, attention_head_dim=8, num_attention_heads=2, joint_attention_dim=32, caption_projection_dim=16, pooled_projection_dim=32, out_channels=4)),
                          (D.FluxTransformer2DModel, dict(patch_size=1, in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=16, num_attention_heads=2, joint_attention_dim=32, pooled_projection_dim=32, axes_dims_rope=(4, 4, 8)))):
        model = kind(**options).to(device)
        for _ in range(3):
            if kind is D.SD3Transformer2DModel:
                model(hidden_states=torch.randn(2, 4, 8, 8, device=device), encoder_hidden_states=torch.randn(2, 5, 32, device=device), pooled_projections=torch.randn(2, 32, device=device), timestep=torch.rand(2, device=device))
            else:
                model(hidden_states=torch.randn(2, 16, 4, device=device), encoder_hidden_states=torch.randn(2, 5, 32, device=device), pooled_projections=torch.randn(2, 32, device=device), timestep=torch.rand(2, device=device), img_ids=torch.rand(16, 3, device=device), txt_ids=torch.zeros(5, 3, device=device))
            dit(torch.randn(2, 4, 8, 8, device=device), timestep=torch.randint(0, 100, (2,), device=device), class_labels=torch.randint(0, 10, (2,), device=device))


if __name__ == "__main__":
    for work in (first_schedulers, second_schedulers, karras_schedulers, flow_schedulers, train, pipelines, stable_diffusion, autoencoders, transformer):
        work()
