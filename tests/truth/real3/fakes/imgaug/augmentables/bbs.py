"""Boxes on a picture."""


class BoundingBox:
    def __init__(self, x1, y1, x2, y2, label=None):
        self.x1, self.y1, self.x2, self.y2, self.label = x1, y1, x2, y2, label


class BoundingBoxesOnImage(list):
    def __init__(self, boxes, shape):
        super().__init__(boxes)
        self.shape = shape

    def clip_out_of_image(self):
        return self
