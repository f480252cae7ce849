import torch

opt = {
    'name': 'EDSR_micro_x2',
    'manual_seed': 10,
    'scale': 2,
    'num_gpu': 1 if torch.cuda.is_available() else 0,
    'datasets': {
        'train': {'num': 64, 'gt_size': 48, 'batch_size': 8, 'use_hflip': True},
        'val': {'num': 4, 'gt_size': 64},
    },
    'network_g': {'num_feat': 32, 'num_block': 4, 'res_scale': 0.1},
    'path': {'experiments_root': './out/EDSR_micro_x2', 'pretrain_network_g': None},
    'train': {
        'optim_g': {'lr': 2e-4, 'weight_decay': 0, 'betas': [0.9, 0.99]},
        'scheduler': {'milestones': [20, 30], 'gamma': 0.5},
        'total_iter': 40,
        'warmup_iter': -1,
        'pixel_weight': 1.0,
        'ema_decay': 0.99,
    },
    'val': {'val_freq': 20, 'save_img': True, 'crop_border': 2},
    'logger': {'print_freq': 5, 'save_checkpoint_freq': 20},
}
