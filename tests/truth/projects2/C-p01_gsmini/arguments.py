from argparse import ArgumentParser


class GroupParams:
    pass


class ParamGroup:
    def __init__(self, parser: ArgumentParser, name: str):
        group = parser.add_argument_group(name)
        for key, value in vars(self).items():
            t = type(value)
            if t == bool:
                group.add_argument("--" + key, default=value, action="store_true")
            else:
                group.add_argument("--" + key, default=value, type=t)

    def extract(self, args):
        group = GroupParams()
        for arg in vars(args).items():
            if arg[0] in vars(self):
                setattr(group, arg[0], arg[1])
        return group


class ModelParams(ParamGroup):
    def __init__(self, parser):
        self.sh_degree = 1
        self.model_path = ""
        self.resolution = 48
        self.n_train_views = 24
        self.n_test_views = 4
        self.init_points = 400
        self.white_background = False
        self.data_device = "cuda"
        super().__init__(parser, "Loading Parameters")


class OptimizationParams(ParamGroup):
    def __init__(self, parser):
        self.iterations = 160
        self.position_lr_init = 0.004
        self.position_lr_final = 0.0004
        self.feature_lr = 0.02
        self.opacity_lr = 0.05
        self.scaling_lr = 0.01
        self.rotation_lr = 0.002
        self.percent_dense = 0.02
        self.lambda_dssim = 0.2
        self.densification_interval = 20
        self.opacity_reset_interval = 90
        self.densify_from_iter = 20
        self.densify_until_iter = 130
        self.densify_grad_threshold = 0.00005
        self.max_points = 1600
        super().__init__(parser, "Optimization Parameters")
