import torch

C0 = 0.28209479177387814
C1 = 0.4886025119029199


def eval_sh(deg, sh, dirs):
    # sh: N x K x 3
    result = C0 * sh[:, 0]
    if deg > 0:
        x, y, z = dirs[:, 0:1], dirs[:, 1:2], dirs[:, 2:3]
        result = result - C1 * y * sh[:, 1] + C1 * z * sh[:, 2] - C1 * x * sh[:, 3]
    return result


def render(viewpoint_camera, pc, bg_color, scaling_modifier=1.0):
    xyz = pc.get_xyz
    screenspace_points = torch.zeros((xyz.shape[0], 2), dtype=xyz.dtype, requires_grad=True, device="cuda") + 0
    try:
        screenspace_points.retain_grad()
    except:
        pass

    H, W = int(viewpoint_camera.image_height), int(viewpoint_camera.image_width)
    fx, fy = viewpoint_camera.fx, viewpoint_camera.fy
    Rw, Tw = viewpoint_camera.world_view, viewpoint_camera.trans
    cam = xyz @ Rw.t() + Tw
    z = cam[:, 2]
    in_front = z > 0.2
    zc = z.clamp(min=0.2)
    u = fx * cam[:, 0] / zc + W / 2
    v = fy * cam[:, 1] / zc + H / 2
    mean2d = torch.stack([u, v], -1) + screenspace_points

    # EWA projection
    J = torch.zeros((xyz.shape[0], 2, 3), device=xyz.device)
    J[:, 0, 0] = fx / zc
    J[:, 0, 2] = -fx * cam[:, 0] / (zc * zc)
    J[:, 1, 1] = fy / zc
    J[:, 1, 2] = -fy * cam[:, 1] / (zc * zc)
    cov3d = pc.get_covariance() * scaling_modifier ** 2
    M = J @ Rw
    cov2d = M @ cov3d @ M.transpose(1, 2)
    a = cov2d[:, 0, 0] + 0.3
    b = cov2d[:, 0, 1]
    c = cov2d[:, 1, 1] + 0.3
    det = (a * c - b * b).clamp(min=1e-6)
    mid = 0.5 * (a + c)
    lam = mid + torch.sqrt((mid * mid - det).clamp(min=0.1))
    radii = torch.ceil(3 * torch.sqrt(lam)).detach()
    on_screen = (u + radii > 0) & (u - radii < W) & (v + radii > 0) & (v - radii < H)
    visible = in_front & on_screen
    radii = radii * visible

    dirs = xyz - viewpoint_camera.camera_center
    dirs = dirs / dirs.norm(dim=1, keepdim=True)
    colors = torch.clamp_min(eval_sh(pc.active_sh_degree, pc.get_features, dirs) + 0.5, 0.0)

    idx = torch.nonzero(visible).squeeze(1)
    if idx.numel() == 0:
        image = bg_color[:, None, None].expand(3, H, W) + 0 * xyz.sum()
        return {"render": image, "viewspace_points": screenspace_points, "visibility_filter": visible, "radii": radii}
    order = idx[torch.argsort(z[idx])]

    ys, xs = torch.meshgrid(torch.arange(H, device="cuda"), torch.arange(W, device="cuda"), indexing="ij")
    pix = torch.stack([xs, ys], -1).reshape(-1, 2).float() + 0.5
    d = pix[None] - mean2d[order][:, None]
    inv_a, inv_b, inv_c = (c / det)[order], (-b / det)[order], (a / det)[order]
    power = -0.5 * (inv_a[:, None] * d[..., 0] ** 2 + inv_c[:, None] * d[..., 1] ** 2) \
        - inv_b[:, None] * d[..., 0] * d[..., 1]
    alpha = (pc.get_opacity[order] * torch.exp(power.clamp(max=0.0))).clamp(max=0.99)
    alpha = torch.where(alpha < 1.0 / 255, torch.zeros_like(alpha), alpha)
    T = torch.cumprod(1 - alpha, dim=0)
    T_prev = torch.cat([torch.ones_like(T[:1]), T[:-1]], dim=0)
    weights = alpha * T_prev
    image = weights.t() @ colors[order] + T[-1][:, None] * bg_color[None]
    depth = weights.t() @ z[order][:, None]
    return {
        "render": image.reshape(H, W, 3).permute(2, 0, 1),
        "depth": depth.reshape(1, H, W),
        "viewspace_points": screenspace_points,
        "visibility_filter": visible,
        "radii": radii,
    }
