model = dict(
    type='ImageClassifier',
    backbone=dict(type='SmallResNet', widths=(16, 32, 64)),
    head=dict(type='ClsHead', num_classes=10, in_channels=64, label_smooth=0.1, topk=(1, 5)))
data = dict(
    samples_per_gpu=32,
    workers_per_gpu=0,
    train=dict(type='ToyCIFAR', num=512),
    val=dict(type='ToyCIFAR', num=128, test_mode=True))
optimizer = dict(type='SGD', lr=0.05, momentum=0.9, weight_decay=1e-4)
optimizer_config = dict(grad_clip=dict(max_norm=10, norm_type=2))
lr_config = dict(policy='cosine', min_lr=1e-4, warmup_iters=5)
checkpoint_config = dict(interval=1, max_keep=2)
evaluation = dict(interval=1)
log_config = dict(interval=5)
custom_hooks = [dict(type='EMAHook', momentum=0.05)]
total_epochs = 3
workflow = [('train', 1), ('val', 1)]
work_dir = './out/toy_r8'
