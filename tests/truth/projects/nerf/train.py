import os, time, argparse
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
try:
    from tqdm import tqdm, trange
except ImportError:
    trange = range
    class tqdm:
        write = staticmethod(print)

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
np.random.seed(0)

# Misc
img2mse = lambda x, y: torch.mean((x - y) ** 2)
mse2psnr = lambda x: -10. * torch.log(x) / torch.log(torch.Tensor([10.]).to(device))
to8b = lambda x: (255 * np.clip(x, 0, 1)).astype(np.uint8)


class Embedder:
    def __init__(self, multires, input_dims=3):
        self.freq_bands = 2. ** torch.linspace(0., multires - 1, steps=multires)
        self.out_dim = input_dims * (1 + 2 * multires)

    def embed(self, x):
        out = [x]
        for freq in self.freq_bands:
            out.append(torch.sin(x * freq))
            out.append(torch.cos(x * freq))
        return torch.cat(out, -1)


class NeRF(nn.Module):
    def __init__(self, D=4, W=64, input_ch=3, input_ch_views=3, skips=[2]):
        super(NeRF, self).__init__()
        self.input_ch, self.input_ch_views, self.skips = input_ch, input_ch_views, skips
        self.pts_linears = nn.ModuleList(
            [nn.Linear(input_ch, W)] + [nn.Linear(W, W) if i not in self.skips else nn.Linear(W + input_ch, W)
                                        for i in range(D - 1)])
        self.views_linears = nn.ModuleList([nn.Linear(input_ch_views + W, W // 2)])
        self.feature_linear = nn.Linear(W, W)
        self.alpha_linear = nn.Linear(W, 1)
        self.rgb_linear = nn.Linear(W // 2, 3)

    def forward(self, x):
        input_pts, input_views = torch.split(x, [self.input_ch, self.input_ch_views], dim=-1)
        h = input_pts
        for i, l in enumerate(self.pts_linears):
            h = F.relu(self.pts_linears[i](h))
            if i in self.skips:
                h = torch.cat([input_pts, h], -1)
        alpha = self.alpha_linear(h)
        h = torch.cat([self.feature_linear(h), input_views], -1)
        for l in self.views_linears:
            h = F.relu(l(h))
        return torch.cat([self.rgb_linear(h), alpha], -1)


def get_rays(H, W, K, c2w):
    i, j = torch.meshgrid(torch.linspace(0, W - 1, W), torch.linspace(0, H - 1, H), indexing='ij')
    i = i.t().to(device)
    j = j.t().to(device)
    dirs = torch.stack([(i - K[0][2]) / K[0][0], -(j - K[1][2]) / K[1][1], -torch.ones_like(i)], -1)
    rays_d = torch.sum(dirs[..., np.newaxis, :] * c2w[:3, :3], -1)
    rays_o = c2w[:3, -1].expand(rays_d.shape)
    return rays_o, rays_d


# Hierarchical sampling (section 5.2)
def sample_pdf(bins, weights, N_samples, det=False):
    weights = weights + 1e-5  # prevent nans
    pdf = weights / torch.sum(weights, -1, keepdim=True)
    cdf = torch.cumsum(pdf, -1)
    cdf = torch.cat([torch.zeros_like(cdf[..., :1]), cdf], -1)
    if det:
        u = torch.linspace(0., 1., steps=N_samples, device=bins.device)
        u = u.expand(list(cdf.shape[:-1]) + [N_samples])
    else:
        u = torch.rand(list(cdf.shape[:-1]) + [N_samples]).to(bins.device)
    u = u.contiguous()
    inds = torch.searchsorted(cdf, u, right=True)
    below = torch.max(torch.zeros_like(inds - 1), inds - 1)
    above = torch.min((cdf.shape[-1] - 1) * torch.ones_like(inds), inds)
    inds_g = torch.stack([below, above], -1)
    matched_shape = [inds_g.shape[0], inds_g.shape[1], cdf.shape[-1]]
    cdf_g = torch.gather(cdf.unsqueeze(1).expand(matched_shape), 2, inds_g)
    bins_g = torch.gather(bins.unsqueeze(1).expand(matched_shape), 2, inds_g)
    denom = (cdf_g[..., 1] - cdf_g[..., 0])
    denom = torch.where(denom < 1e-5, torch.ones_like(denom), denom)
    t = (u - cdf_g[..., 0]) / denom
    return bins_g[..., 0] + t * (bins_g[..., 1] - bins_g[..., 0])


def raw2outputs(raw, z_vals, rays_d, raw_noise_std=0, white_bkgd=False):
    raw2alpha = lambda raw, dists, act_fn=F.relu: 1. - torch.exp(-act_fn(raw) * dists)
    dists = z_vals[..., 1:] - z_vals[..., :-1]
    dists = torch.cat([dists, torch.Tensor([1e10]).to(device).expand(dists[..., :1].shape)], -1)
    dists = dists * torch.norm(rays_d[..., None, :], dim=-1)
    rgb = torch.sigmoid(raw[..., :3])
    noise = 0.
    if raw_noise_std > 0.:
        noise = torch.randn(raw[..., 3].shape).to(device) * raw_noise_std
    alpha = raw2alpha(raw[..., 3] + noise, dists)
    weights = alpha * torch.cumprod(
        torch.cat([torch.ones((alpha.shape[0], 1)).to(device), 1. - alpha + 1e-10], -1), -1)[:, :-1]
    rgb_map = torch.sum(weights[..., None] * rgb, -2)
    depth_map = torch.sum(weights * z_vals, -1)
    acc_map = torch.sum(weights, -1)
    if white_bkgd:
        rgb_map = rgb_map + (1. - acc_map[..., None])
    return rgb_map, depth_map, acc_map, weights


class Renderer:
    def __init__(self, args):
        self.args = args
        self.emb, self.emb_dirs = Embedder(args.multires), Embedder(args.multires_views)
        mk = lambda: NeRF(args.netdepth, args.netwidth, self.emb.out_dim, self.emb_dirs.out_dim).to(device)
        self.coarse, self.fine = mk(), mk()
        self.grad_vars = list(self.coarse.parameters()) + list(self.fine.parameters())

    def query(self, pts, viewdirs, fn):
        flat = pts.reshape(-1, 3)
        dirs = viewdirs[:, None].expand(pts.shape).reshape(-1, 3)
        x = torch.cat([self.emb.embed(flat), self.emb_dirs.embed(dirs)], -1)
        out = torch.cat([fn(x[i:i + self.args.netchunk]) for i in range(0, x.shape[0], self.args.netchunk)], 0)
        return out.reshape(list(pts.shape[:-1]) + [4])

    def render_rays(self, rays_o, rays_d, near, far, perturb=1., noise=0.):
        a = self.args
        viewdirs = rays_d / torch.norm(rays_d, dim=-1, keepdim=True)
        t_vals = torch.linspace(0., 1., steps=a.N_samples).to(device)
        z_vals = (near * (1. - t_vals) + far * t_vals).expand([rays_o.shape[0], a.N_samples])
        if perturb > 0.:
            mids = .5 * (z_vals[..., 1:] + z_vals[..., :-1])
            upper = torch.cat([mids, z_vals[..., -1:]], -1)
            lower = torch.cat([z_vals[..., :1], mids], -1)
            z_vals = lower + (upper - lower) * torch.rand(z_vals.shape).to(device)
        pts = rays_o[..., None, :] + rays_d[..., None, :] * z_vals[..., :, None]
        raw = self.query(pts, viewdirs, self.coarse)
        rgb0, _, acc0, weights = raw2outputs(raw, z_vals, rays_d, noise, a.white_bkgd)
        z_mid = .5 * (z_vals[..., 1:] + z_vals[..., :-1])
        z_samples = sample_pdf(z_mid, weights[..., 1:-1], a.N_importance, det=(perturb == 0.)).detach()
        z_vals, _ = torch.sort(torch.cat([z_vals, z_samples], -1), -1)
        pts = rays_o[..., None, :] + rays_d[..., None, :] * z_vals[..., :, None]
        raw = self.query(pts, viewdirs, self.fine)
        rgb, depth, acc, _ = raw2outputs(raw, z_vals, rays_d, noise, a.white_bkgd)
        ret = {'rgb_map': rgb, 'depth_map': depth, 'acc_map': acc, 'rgb0': rgb0}
        for k in ret:
            if a.debug and (torch.isnan(ret[k]).any() or torch.isinf(ret[k]).any()):
                print(f"! [Numerical Error] {k} contains nan or inf.")
        return ret

    def render_image(self, H, W, K, c2w, near, far):
        rays_o, rays_d = get_rays(H, W, K, c2w)
        rays_o, rays_d = rays_o.reshape(-1, 3), rays_d.reshape(-1, 3)
        all_ret = {}
        for i in range(0, rays_o.shape[0], self.args.chunk):
            ret = self.render_rays(rays_o[i:i + self.args.chunk], rays_d[i:i + self.args.chunk], near, far, 0., 0.)
            for k in ret:
                all_ret.setdefault(k, []).append(ret[k])
        return {k: torch.cat(v, 0).reshape([H, W] + list(v[0].shape[1:])) for k, v in all_ret.items()}


def pose_spherical(theta, phi, radius):
    th, ph = np.deg2rad(theta), np.deg2rad(phi)
    c2w = np.eye(4); c2w[2, 3] = radius
    rot_phi = np.array([[1, 0, 0, 0], [0, np.cos(ph), -np.sin(ph), 0], [0, np.sin(ph), np.cos(ph), 0], [0, 0, 0, 1]])
    rot_th = np.array([[np.cos(th), 0, -np.sin(th), 0], [0, 1, 0, 0], [np.sin(th), 0, np.cos(th), 0], [0, 0, 0, 1]])
    return (rot_th @ rot_phi @ c2w).astype(np.float32)


def load_sphere_data(n, H, W, focal):
    """ toy scene, one shaded ball in front of white """
    K = np.array([[focal, 0, 0.5 * W], [0, focal, 0.5 * H], [0, 0, 1]])
    poses = np.stack([pose_spherical(a, -25., 4.) for a in np.linspace(-180, 180, n + 1)[:-1]])
    imgs = []
    for p in poses:
        o, d = [x.cpu().numpy() for x in get_rays(H, W, K, torch.Tensor(p).to(device))]
        d = d / np.linalg.norm(d, axis=-1, keepdims=True)
        b = (o * d).sum(-1); disc = b ** 2 - ((o ** 2).sum(-1) - 1.)
        hit = disc > 0
        pt = o + d * (-b - np.sqrt(np.maximum(disc, 0)))[..., None]
        imgs.append(np.where(hit[..., None], pt * .5 + .5, 1.))
    return np.stack(imgs).astype(np.float32), poses, K


def train(args):
    H = W = 32
    images, poses, K = load_sphere_data(args.n_views + 3, H, W, 40.)
    i_train, i_val = np.arange(args.n_views), np.arange(args.n_views, args.n_views + 3)
    near, far = 2., 6.
    basedir, expname = args.basedir, args.expname
    os.makedirs(os.path.join(basedir, expname), exist_ok=True)
    with open(os.path.join(basedir, expname, 'args.txt'), 'w') as file:
        for arg in sorted(vars(args)):
            file.write('{} = {}\n'.format(arg, getattr(args, arg)))

    R = Renderer(args)
    optimizer = torch.optim.Adam(params=R.grad_vars, lr=args.lrate, betas=(0.9, 0.999))
    images = torch.Tensor(images).to(device)
    poses = torch.Tensor(poses).to(device)
    start = 0
    print('Begin')
    for i in trange(start + 1, args.N_iters + 1):
        time0 = time.time()
        # Random from one image
        img_i = np.random.choice(i_train)
        target = images[img_i]
        pose = poses[img_i, :3, :4]
        rays_o, rays_d = get_rays(H, W, K, pose)
        if i < args.precrop_iters:
            dH = dW = H // 4
            coords = torch.stack(torch.meshgrid(
                torch.linspace(H // 2 - dH, H // 2 + dH - 1, 2 * dH),
                torch.linspace(W // 2 - dW, W // 2 + dW - 1, 2 * dW), indexing='ij'), -1)
        else:
            coords = torch.stack(torch.meshgrid(
                torch.linspace(0, H - 1, H), torch.linspace(0, W - 1, W), indexing='ij'), -1)
        coords = torch.reshape(coords, [-1, 2])
        select_inds = np.random.choice(coords.shape[0], size=[args.N_rand], replace=False)
        select_coords = coords[select_inds].long()
        rays_o = rays_o[select_coords[:, 0], select_coords[:, 1]]
        rays_d = rays_d[select_coords[:, 0], select_coords[:, 1]]
        target_s = target[select_coords[:, 0], select_coords[:, 1]]

        #####  Core optimization loop  #####
        ret = R.render_rays(rays_o, rays_d, near, far, 1., args.raw_noise_std)
        optimizer.zero_grad()
        img_loss = img2mse(ret['rgb_map'], target_s)
        loss = img_loss
        psnr = mse2psnr(img_loss)
        loss = loss + img2mse(ret['rgb0'], target_s)
        loss.backward()
        optimizer.step()

        ###   update learning rate   ###
        new_lrate = args.lrate * (0.1 ** (i / (args.lrate_decay * 1000)))
        for param_group in optimizer.param_groups:
            param_group['lr'] = new_lrate
        dt = time.time() - time0

        # Rest is logging
        if i % args.i_weights == 0:
            path = os.path.join(basedir, expname, '{:06d}.tar'.format(i))
            torch.save({'global_step': i, 'network_fn_state_dict': R.coarse.state_dict(),
                        'network_fine_state_dict': R.fine.state_dict(),
                        'optimizer_state_dict': optimizer.state_dict()}, path)
            print('Saved checkpoints at', path)
        if i % args.i_testset == 0:
            testsavedir = os.path.join(basedir, expname, 'testset_{:06d}'.format(i))
            os.makedirs(testsavedir, exist_ok=True)
            psnrs = []
            with torch.no_grad():
                for k in i_val:
                    out = R.render_image(H, W, K, poses[k, :3, :4], near, far)
                    psnrs.append(mse2psnr(img2mse(out['rgb_map'], images[k])).item())
                    np.save(os.path.join(testsavedir, '{:03d}.npy'.format(k)), to8b(out['rgb_map'].cpu().numpy()))
            print('test set psnr', np.mean(psnrs))
        if i % args.i_print == 0:
            tqdm.write(f"[TRAIN] Iter: {i} Loss: {loss.item()}  PSNR: {psnr.item()} dt: {dt:.3f}")


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument("--expname", type=str, default='sphere')
    parser.add_argument("--basedir", type=str, default='./out/logs')
    parser.add_argument("--netdepth", type=int, default=4)
    parser.add_argument("--netwidth", type=int, default=64)
    parser.add_argument("--N_rand", type=int, default=128)
    parser.add_argument("--lrate", type=float, default=5e-4)
    parser.add_argument("--lrate_decay", type=int, default=250)
    parser.add_argument("--chunk", type=int, default=512)
    parser.add_argument("--netchunk", type=int, default=1024 * 16)
    parser.add_argument("--N_samples", type=int, default=24)
    parser.add_argument("--N_importance", type=int, default=24)
    parser.add_argument("--N_iters", type=int, default=80)
    parser.add_argument("--n_views", type=int, default=12)
    parser.add_argument("--raw_noise_std", type=float, default=1.)
    parser.add_argument("--white_bkgd", action='store_true')
    parser.add_argument("--debug", action='store_true')
    parser.add_argument("--multires", type=int, default=6)
    parser.add_argument("--multires_views", type=int, default=2)
    parser.add_argument("--precrop_iters", type=int, default=20)
    parser.add_argument("--i_print", type=int, default=10)
    parser.add_argument("--i_weights", type=int, default=40)
    parser.add_argument("--i_testset", type=int, default=40)
    train(parser.parse_args())
