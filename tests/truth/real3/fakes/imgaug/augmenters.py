"""Augmenters that change nothing."""


class Augmenter:
    def __init__(self, *args, **kwargs):
        pass

    def to_deterministic(self):
        return self

    def __call__(self, image, bounding_boxes):
        return image, bounding_boxes


class Sequential(Augmenter):
    pass


Sharpen = Affine = AddToBrightness = AddToHue = Fliplr = Dropout = PadToAspectRatio = Augmenter
