import argparse
import ast


class Config(dict):
    """dict with attribute access, reads `key = value` txt files"""

    def __getattr__(self, k):
        try:
            return self[k]
        except KeyError:
            raise AttributeError(k)

    def __setattr__(self, k, v):
        self[k] = v


DEFAULTS = dict(
    expname='debug', basedir='', seed=42,
    num_rays=1024, n_samples=64, n_iters=100,
    lr=5e-3, lr_decay=0.1, weight_decay=1e-6,
    H=40, W=40, n_views=30, n_val=3,
    bound=1.0, grid_res=32, occ_thre=0.01, occ_decay=0.95,
    update_interval=16, warmup_steps=32,
    n_levels=6, log2_hashmap=14, base_res=8, finest_res=128,
    hidden=32, geo_feat=15,
    white_bg=True, use_distortion=False, lambda_dist=1e-3, lambda_opa=1e-4,
    i_print=10, i_val=50, fp16=False, target_samples=32768,
)


def load_config():
    p = argparse.ArgumentParser()
    p.add_argument('--config', type=str, default='configs/toy.txt')
    p.add_argument('opts', nargs='*', help='KEY VALUE pairs')
    args = p.parse_args()
    cfg = Config(DEFAULTS)
    with open(args.config) as f:
        for line in f:
            line = line.split('#')[0].strip()
            if not line:
                continue
            k, v = [s.strip() for s in line.split('=')]
            if k not in cfg:
                raise KeyError('unknown option ' + k)
            cfg[k] = _parse(v)
    for k, v in zip(args.opts[::2], args.opts[1::2]):
        cfg[k] = _parse(v)
    return cfg


def _parse(v):
    try:
        return ast.literal_eval(v)
    except Exception:
        return v
