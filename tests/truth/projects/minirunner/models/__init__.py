from core.registry import Registry, build_from_cfg

BACKBONES = Registry('backbone')
HEADS = Registry('head')
CLASSIFIERS = Registry('classifier')

from .nets import SmallResNet, ClsHead, ImageClassifier  # noqa: E402,F401


def build_classifier(cfg):
    return build_from_cfg(cfg, CLASSIFIERS)
