class InceptionV3W:
    pass
