from pathlib import Path

import torch
from accelerate import Accelerator
from ema_pytorch import EMA
from PIL import Image
from torch.optim import Adam
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms as T
from torchvision import utils
from tqdm.auto import tqdm


def cycle(dl):
    while True:
        for data in dl:  # sync: copy-to-device
            yield data


def num_to_groups(num, divisor):
    groups = num // divisor
    remainder = num % divisor
    arr = [divisor] * groups
    if remainder > 0:
        arr.append(remainder)
    return arr


class ImageDataset(Dataset):
    def __init__(self, folder, image_size):
        self.paths = [p for p in Path(folder).glob("**/*.png")]
        self.transform = T.Compose([T.Resize(image_size), T.RandomHorizontalFlip(), T.ToTensor()])

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        img = Image.open(self.paths[index])
        return self.transform(img)


class Trainer:
    def __init__(self, diffusion_model, folder, *, train_batch_size=16, gradient_accumulate_every=1, train_lr=1e-4,
                 train_num_steps=100000, save_and_sample_every=1000, num_samples=25, results_folder="./results",
                 amp=False, max_grad_norm=1.0):
        self.accelerator = Accelerator(mixed_precision="fp16" if amp else "no")
        self.model = diffusion_model
        self.num_samples = num_samples
        self.save_and_sample_every = save_and_sample_every
        self.batch_size = train_batch_size
        self.gradient_accumulate_every = gradient_accumulate_every
        self.max_grad_norm = max_grad_norm
        self.train_num_steps = train_num_steps
        self.ds = ImageDataset(folder, 64)
        dl = DataLoader(self.ds, batch_size=train_batch_size, shuffle=True, pin_memory=True, num_workers=4)
        dl = self.accelerator.prepare(dl)
        self.dl = cycle(dl)
        self.opt = Adam(diffusion_model.parameters(), lr=train_lr)
        if self.accelerator.is_main_process:
            self.ema = EMA(diffusion_model, beta=0.995)
            self.ema.to(self.device)
        self.results_folder = Path(results_folder)
        self.step = 0
        self.model, self.opt = self.accelerator.prepare(self.model, self.opt)

    @property
    def device(self):
        return self.accelerator.device

    def save(self, milestone):
        if not self.accelerator.is_local_main_process:
            return
        data = {
            "step": self.step,
            "model": self.accelerator.get_state_dict(self.model),
            "opt": self.opt.state_dict(),
        }
        torch.save(data, str(self.results_folder / f"model-{milestone}.pt"))  # sync: copy-to-host note

    def train(self):
        accelerator = self.accelerator
        device = accelerator.device
        with tqdm(initial=self.step, total=self.train_num_steps, disable=not accelerator.is_main_process) as pbar:
            while self.step < self.train_num_steps:
                self.model.train()
                total_loss = 0.0
                for _ in range(self.gradient_accumulate_every):
                    data = next(self.dl).to(device)
                    with self.accelerator.autocast():
                        loss = self.model(data)
                        loss = loss / self.gradient_accumulate_every
                        total_loss += loss.item()  # sync: host-read
                    self.accelerator.backward(loss)
                pbar.set_description(f"loss: {total_loss:.4f}")
                accelerator.wait_for_everyone()  # sync: library-wait note
                accelerator.clip_grad_norm_(self.model.parameters(), self.max_grad_norm)
                self.opt.step()
                self.opt.zero_grad()
                accelerator.wait_for_everyone()  # sync: library-wait note
                self.step += 1
                if accelerator.is_main_process:
                    self.ema.update()
                    if self.step != 0 and self.step % self.save_and_sample_every == 0:
                        self.model.eval()
                        with torch.inference_mode():
                            milestone = self.step // self.save_and_sample_every
                            batches = num_to_groups(self.num_samples, self.batch_size)
                            all_images_list = list(map(lambda n: self.model.sample(batch_size=n), batches))
                        all_images = torch.cat(all_images_list, dim=0)
                        utils.save_image(all_images, str(self.results_folder / f"sample-{milestone}.png"))  # sync: library-wait note
                        self.save(milestone)
                pbar.update(1)
        accelerator.print("training complete")
