import random

import numpy as np
import torch


class CFG:
    exp = "exp007_ft_focal"
    seed = 42
    out_dir = "./output"

    # data
    n_rows = 14000
    n_folds = 3
    trn_folds = [0, 1]
    target = "default"

    # model
    d_token = 48
    n_heads = 4
    n_layers = 3
    ffn_mult = 2
    attn_drop = 0.1
    ffn_drop = 0.1
    token_drop = 0.08       # feature-token dropout, helped +0.002 on CV

    # train
    epochs = 4
    batch_size = 512
    valid_batch_size = 1024
    lr = 1.5e-3
    emb_lr_mult = 2.0
    weight_decay = 1e-4
    warmup_ratio = 0.1
    max_grad_norm = 1.0
    ema_decay = 0.98
    patience = 2
    use_amp = True

    # focal
    gamma = 2.0
    alpha = 0.75
    label_smoothing = 0.01


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
