class CfgNode(dict):
    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value

    def merge_from_list(self, opts):
        for key, value in zip(opts[0::2], opts[1::2]):
            node = self
            *parents, last = key.split(".")
            for p in parents:
                node = node[p]
            assert last in node, "Non-existent key: {}".format(key)
            node[last] = type(node[last])(value)


def get_cfg():
    _C = CfgNode()
    _C.SEED = 7
    _C.MODEL = CfgNode()
    _C.MODEL.DEVICE = "cuda"
    _C.MODEL.CHANNELS = 64
    _C.MODEL.NUM_CLASSES = 3
    _C.MODEL.STRIDES = [8, 16, 32]
    _C.MODEL.SIZES_OF_INTEREST = [32, 64]
    _C.MODEL.NUM_CONVS = 2
    _C.MODEL.CENTER_RADIUS = 1.5
    _C.MODEL.FOCAL_ALPHA = 0.25
    _C.MODEL.FOCAL_GAMMA = 2.0
    _C.MODEL.SCORE_THRESH = 0.05
    _C.MODEL.NMS_THRESH = 0.6
    _C.MODEL.PRE_NMS_TOPK = 300
    _C.MODEL.POST_NMS_TOPK = 50
    _C.INPUT = CfgNode()
    _C.INPUT.SIZE = 128
    _C.DATASETS = CfgNode()
    _C.DATASETS.NUM_TEST = 48
    _C.SOLVER = CfgNode()
    _C.SOLVER.BASE_LR = 0.01
    _C.SOLVER.MAX_ITER = 90
    _C.SOLVER.IMS_PER_BATCH = 8
    _C.SOLVER.WARMUP_ITERS = 20
    _C.SOLVER.STEPS = [60, 80]
    _C.SOLVER.CLIP = 10.0
    _C.TEST = CfgNode()
    _C.TEST.EVAL_PERIOD = 30
    return _C
