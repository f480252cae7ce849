import numpy as np
from scipy.ndimage import gaussian_filter


def tensor2img(tensor, min_max=(0, 1)):
    tensor = tensor.squeeze(0).float().detach().cpu().clamp_(*min_max)
    img = tensor.numpy().transpose(1, 2, 0)
    return (img * 255.0).round().astype(np.uint8)


def calculate_psnr(img1, img2, crop_border):
    assert img1.shape == img2.shape, f'Image shapes are different: {img1.shape}, {img2.shape}.'
    if crop_border != 0:
        img1 = img1[crop_border:-crop_border, crop_border:-crop_border, ...]
        img2 = img2[crop_border:-crop_border, crop_border:-crop_border, ...]
    mse = np.mean((img1.astype(np.float64) - img2.astype(np.float64)) ** 2)
    if mse == 0:
        return float('inf')
    return 20. * np.log10(255. / np.sqrt(mse))


def _ssim(img1, img2):
    C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    f = lambda x: gaussian_filter(x, 1.5, truncate=3.5)
    mu1, mu2 = f(img1), f(img2)
    s1, s2, s12 = f(img1 ** 2) - mu1 ** 2, f(img2 ** 2) - mu2 ** 2, f(img1 * img2) - mu1 * mu2
    ssim_map = ((2 * mu1 * mu2 + C1) * (2 * s12 + C2)) / ((mu1 ** 2 + mu2 ** 2 + C1) * (s1 + s2 + C2))
    return ssim_map.mean()


def calculate_ssim(img1, img2, crop_border):
    if crop_border != 0:
        img1 = img1[crop_border:-crop_border, crop_border:-crop_border, ...]
        img2 = img2[crop_border:-crop_border, crop_border:-crop_border, ...]
    img1, img2 = img1.astype(np.float64), img2.astype(np.float64)
    return np.array([_ssim(img1[..., i], img2[..., i]) for i in range(img1.shape[2])]).mean()
