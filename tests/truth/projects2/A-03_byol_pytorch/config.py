config = {
    'network': {
        'name': 'resnet18',
        'projection_head': {'mlp_hidden_size': 256, 'projection_size': 64},
    },
    'data_transforms': {'s': 1, 'input_shape': (40, 40, 3)},
    'data': {'n_train': 1280, 'n_val': 384, 'num_classes': 8},
    'trainer': {
        'batch_size': 64,
        'm': 0.99,  # momentum update
        'checkpoint_interval': 15,
        'max_epochs': 3,
        'num_workers': 2,
    },
    'optimizer': {
        'params': {'lr': 0.3, 'momentum': 0.9, 'weight_decay': 1.5e-6},
        'exclude_bias_and_bn': True,
    },
}
