import ast


class CfgNode(dict):
    """poor man's yacs"""

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value

    def merge_from_file(self, path):
        section = None
        with open(path) as f:
            for line in f:
                if not line.strip() or line.strip().startswith("#"):
                    continue
                key, _, val = line.strip().partition(":")
                if not line.startswith(" "):
                    section = key
                else:
                    self._set(section + "." + key, val.strip())

    def merge_from_list(self, opts):
        assert len(opts) % 2 == 0
        for k, v in zip(opts[0::2], opts[1::2]):
            self._set(k, v)

    def _set(self, key, val):
        sec, name = key.split(".")
        assert name in self[sec], "Non-existent config key: " + key
        try:
            val = ast.literal_eval(val)
        except (ValueError, SyntaxError):
            pass
        self[sec][name] = val

    def dump(self):
        out = ""
        for k, v in self.items():
            out += k + ":\n"
            for kk, vv in v.items():
                out += "  %s: %s\n" % (kk, vv)
        return out


def get_cfg():
    _C = CfgNode()
    _C.MODEL = CfgNode()
    _C.MODEL.TYPE = "switch"  # switch | top2 | expert_choice
    _C.MODEL.VOCAB_SIZE = 128
    _C.MODEL.D_MODEL = 128
    _C.MODEL.D_FF = 256
    _C.MODEL.N_LAYERS = 4
    _C.MODEL.N_HEADS = 4
    _C.MODEL.MOE_EVERY = 2
    _C.MODEL.NUM_EXPERTS = 4
    _C.MODEL.CAPACITY_FACTOR = 1.25
    _C.MODEL.JITTER = 0.01
    _C.MODEL.DROPOUT = 0.1
    _C.LOSS = CfgNode()
    _C.LOSS.BALANCE_WEIGHT = 0.01
    _C.LOSS.ZLOSS_WEIGHT = 0.001
    _C.DATA = CfgNode()
    _C.DATA.SEQ_LEN = 64
    _C.DATA.NUM_TRAIN = 2000
    _C.DATA.NUM_VAL = 200
    _C.DATA.NUM_WORKERS = 2
    _C.SOLVER = CfgNode()
    _C.SOLVER.IMS_PER_BATCH = 32
    _C.SOLVER.BASE_LR = 5e-4
    _C.SOLVER.EXPERT_LR_SCALE = 1.0
    _C.SOLVER.WEIGHT_DECAY = 0.01
    _C.SOLVER.WARMUP_ITERS = 10
    _C.SOLVER.MAX_ITER = 100
    _C.SOLVER.CLIP = 1.0
    _C.TEST = CfgNode()
    _C.TEST.EVAL_PERIOD = 50
    _C.OUTPUT = CfgNode()
    _C.OUTPUT.DIR = ""
    _C.OUTPUT.LOG_PERIOD = 10
    return _C
