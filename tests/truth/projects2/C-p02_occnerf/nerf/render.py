import torch


def intersect_aabb(o, d, bound, near=0.05):
    inv = 1.0 / torch.where(d.abs() < 1e-8, torch.full_like(d, 1e-8), d)
    t1 = (-bound - o) * inv
    t2 = (bound - o) * inv
    tmin = torch.minimum(t1, t2).amax(-1).clamp(min=near)
    tmax = torch.maximum(t1, t2).amin(-1)
    return tmin, tmax, tmax > tmin


def render_rays(field, grid, rays_o, rays_d, n_samples, bound, white_bg=True, perturb=False):
    """March rays through occupied cells only.

    samples are packed: ray_idx tells to which ray each sample belongs
    """
    N = rays_o.shape[0]
    device = rays_o.device
    t0, t1, hit = intersect_aabb(rays_o, rays_d, bound)
    with torch.no_grad():
        steps = torch.arange(n_samples, device=device, dtype=torch.float32)[None].expand(N, -1)
        if perturb:
            steps = steps + torch.rand(N, 1, device=device)
        else:
            steps = steps + 0.5
        dt = ((t1 - t0) / n_samples)[:, None]
        t = t0[:, None] + steps * dt
        pts = rays_o[:, None] + t[..., None] * rays_d[:, None]
        mask = grid.query(pts) & hit[:, None]
        ray_idx, samp_idx = torch.where(mask)

    out_rgb = torch.zeros(N, 3, device=device)
    bg = torch.ones(3, device=device) if white_bg else torch.zeros(3, device=device)
    if len(ray_idx) == 0:
        return {'rgb': out_rgb + bg, 'opacity': torch.zeros(N, device=device),
                'depth': torch.zeros(N, device=device), 'n_samples': 0, 'weights': None}

    x = pts[ray_idx, samp_idx]
    sigma, rgb = field(x, rays_d[ray_idx])
    tau = torch.zeros(N, n_samples, device=device)
    tau = tau.index_put((ray_idx, samp_idx), sigma.float() * dt[ray_idx, 0])
    acc = torch.cumsum(tau, -1) - tau
    w = (1 - torch.exp(-tau)) * torch.exp(-acc)
    wp = w[ray_idx, samp_idx]
    out_rgb = out_rgb.index_add(0, ray_idx, wp[:, None] * rgb.float())
    opacity = w.sum(-1)
    depth = (w * t).sum(-1)
    out_rgb = out_rgb + (1 - opacity)[:, None] * bg
    return {'rgb': out_rgb, 'opacity': opacity, 'depth': depth, 'n_samples': len(ray_idx),
            'weights': w, 't': t, 'dt': dt}


@torch.no_grad()
def render_image(field, grid, rays_o, rays_d, H, W, n_samples, bound, white_bg=True, chunk=1024):
    rgbs, depths = [], []
    for i in range(0, rays_o.shape[0], chunk):
        r = render_rays(field, grid, rays_o[i:i + chunk], rays_d[i:i + chunk], n_samples, bound, white_bg)
        rgbs.append(r['rgb'].cpu())
        depths.append(r['depth'].cpu())
    return torch.cat(rgbs).view(H, W, 3).numpy(), torch.cat(depths).view(H, W).numpy()


def distortion_loss(w, t, dt):
    # mip-nerf 360 eq. 15 for equal intervals, quadratic term through prefix sums
    m = (t - t[:, :1]) / (t[:, -1:] - t[:, :1] + 1e-6)
    ws = torch.cumsum(w, -1)
    wm = torch.cumsum(w * m, -1)
    ws_e = ws - w
    wm_e = wm - w * m
    bi = 2 * (w * (m * ws_e - wm_e)).sum(-1)
    uni = (w ** 2).sum(-1) / (3 * w.shape[1])
    return (bi + uni).mean()
