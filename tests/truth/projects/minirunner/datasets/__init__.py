from .toy_cifar import ToyCIFAR, build_dataloader, build_dataset

__all__ = ['ToyCIFAR', 'build_dataset', 'build_dataloader']
