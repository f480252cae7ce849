"""kan: networks of learned splines, as pykan's tutorials train, prune and name them."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _data(function=None, n_var=2, **options):
    from kan.utils import create_dataset
    return create_dataset(function or (lambda x: torch.exp(torch.sin(torch.pi * x[:, [0]]) + x[:, [1]] ** 2)), n_var=n_var, train_num=200, test_num=100, device=device, **options)


def _model(width=(2, 4, 1), **options):
    from kan import KAN
    return KAN(width=list(width), **dict(dict(grid=3, k=3, seed=0, device=device, auto_save=False), **options))


def hello():
    model, data = _model(), _data()
    for _ in range(2):
        found = model.fit(data, opt="LBFGS", steps=4, lamb=0.001)
    print(found["train_loss"][-1], found["test_loss"][-1])


def adam():
    model, data = _model(), _data()
    found = model.fit(data, opt="Adam", lr=1e-2, steps=20, lamb=0.001, batch=64)
    print(found["train_loss"][-1], found["reg"][-1])


def measured():
    model, data = _model(), _data()

    def train_error():
        return (model(data["train_input"]) - data["train_label"]).abs().mean()

    def test_error():
        return (model(data["test_input"]) - data["test_label"]).abs().mean()
    found = model.fit(data, opt="Adam", lr=1e-2, steps=8, metrics=(train_error, test_error), display_metrics=["train_loss", "train_error"])
    print(found["test_error"])


def classify():
    model, data = _model((2, 3, 2)), _data(lambda x: (x[:, 0] * x[:, 1] > 0).float())
    data = {key: value.long()[:, 0] if "label" in key else value for key, value in data.items()}

    def train_acc():
        return (model(data["train_input"]).argmax(1) == data["train_label"]).float().mean()
    found = model.fit(data, opt="Adam", lr=1e-2, steps=8, loss_fn=torch.nn.CrossEntropyLoss(), metrics=(train_acc,))
    print(found["train_acc"])


def regularised():
    for metric in ("edge_forward_spline_n", "edge_forward_sum", "edge_forward_spline_u", "edge_backward", "node_backward"):
        try:
            model = _model()
            print(metric, model.fit(_data(), opt="Adam", lr=1e-2, steps=6, lamb=0.01, reg_metric=metric)["reg"][-1])
        except Exception as error:
            print(metric, type(error).__name__, error)


def refined():
    model, data = _model(), _data()
    for grid in (4, 6):
        model.fit(data, opt="LBFGS", steps=3)
        model = model.refine(grid)
    print(model.fit(data, opt="LBFGS", steps=3)["test_loss"])


def grids():
    model, data = _model(grid_eps=0.5), _data()
    for _ in range(3):
        model.update_grid_from_samples(data["train_input"])
        model(data["train_input"])
    print(model.act_fun[0].grid[0].tolist())


def pruned():
    model, data = _model(auto_save=True), _data()
    model.fit(data, opt="LBFGS", steps=4, lamb=0.01)
    model(data["train_input"])
    model = model.prune(node_th=1e-3, edge_th=1e-3)
    print(model.fit(data, opt="LBFGS", steps=3)["test_loss"], model.width)


def pruned_inputs():
    model, data = _model((4, 3, 1)), _data(n_var=4)
    model.fit(data, opt="LBFGS", steps=3, lamb=0.01)
    model(data["train_input"])
    for _ in range(2):
        model.attribute(plot=False)
        print(model.feature_score)
    model = model.prune_input(threshold=1e-3)
    print(model.input_id)


def named():
    model, data = _model((2, 1, 1)), _data()
    model.fit(data, opt="LBFGS", steps=4)
    model(data["train_input"])
    model.auto_symbolic(lib=["x", "x^2", "sin", "exp"])
    model.fit(data, opt="LBFGS", steps=3)
    print(model.symbolic_formula()[0][0])


def fixed():
    model, data = _model((2, 1, 1)), _data()
    model.fit(data, opt="LBFGS", steps=3)
    model(data["train_input"])
    print(model.fix_symbolic(0, 0, 0, "sin"), model.fix_symbolic(0, 1, 0, "x^2", fit_params_bool=True), model.fix_symbolic(1, 0, 0, "exp"))
    for _ in range(2):
        print(model.fit(data, opt="LBFGS", steps=3)["train_loss"][-1])
    model.unfix_symbolic(0, 0, 0)


def suggested():
    model, data = _model((2, 1, 1)), _data()
    model(data["train_input"])
    for i in range(2):
        print(model.suggest_symbolic(0, i, 0, lib=["x", "x^2", "sin"], topk=2))


def multiplied():
    model, data = _model([2, [2, 1], 1]), _data(lambda x: x[:, [0]] * x[:, [1]])
    print(model.fit(data, opt="LBFGS", steps=4, lamb=0.001)["test_loss"][-1])


def evaluated():
    model, data = _model(), _data()
    model.fit(data, opt="LBFGS", steps=2)
    for _ in range(2):
        print(model.evaluate(data))


def kept():
    from kan import KAN
    model, data = _model(auto_save=True), _data()
    model.fit(data, opt="LBFGS", steps=2)
    model.saveckpt("kept")
    again = KAN.loadckpt("kept")
    print((again(data["test_input"]) - model(data["test_input"])).abs().max().item())
    model = model.rewind("0.0")
    print(model.fit(data, opt="LBFGS", steps=2)["test_loss"])


def fast():
    model, data = _model(), _data()
    model = model.speed()
    print(model.fit(data, opt="Adam", lr=1e-2, steps=10)["test_loss"][-1])


def swapped():
    model, data = _model((2, 4, 3, 1)), _data()
    model.fit(data, opt="LBFGS", steps=3)
    model(data["train_input"])
    for _ in range(2):
        model.auto_swap()
        print(model.connection_cost())


def perturbed():
    model, data = _model(), _data()
    for mode in ("non-intrusive", "all", "minimal"):
        try:
            model.perturb(mag=0.1, mode=mode)
            print(mode, model.fit(data, opt="Adam", lr=1e-2, steps=4)["test_loss"][-1])
        except Exception as error:
            print(mode, type(error).__name__, error)


def expanded():
    model, data = _model((2, 2, 1)), _data()
    model.fit(data, opt="LBFGS", steps=2)
    model.expand_width(1, 2)
    model.fit(data, opt="LBFGS", steps=2)
    model.expand_depth()
    print(model.fit(data, opt="LBFGS", steps=2)["test_loss"], model.width)


def functions():
    model, data = _model(), _data()
    model(data["train_input"])
    for i in range(2):
        print(model.get_range(0, i, 0), [part.shape for part in model.get_fun(0, i, 0)])


def poisson():
    """An equation, as the tutorial of physics-informed networks has it."""
    from kan.LBFGS import LBFGS
    from kan.utils import batch_hessian, batch_jacobian
    model = _model((2, 2, 1), grid=4)
    optimizer = LBFGS(model.get_params(), lr=1, history_size=10, line_search_fn="strong_wolfe", tolerance_grad=1e-32, tolerance_change=1e-32, tolerance_ys=1e-32)
    inner = torch.rand(60, 2, device=device) * 2 - 1
    edge = torch.cat([inner[:20], inner[:20]])
    edge[:20, 0], edge[20:, 1] = 1.0, -1.0

    def solution(x):
        return torch.sin(torch.pi * x[:, [0]]) * torch.sin(torch.pi * x[:, [1]])

    def source(x):
        return -2 * torch.pi ** 2 * solution(x)

    def closure():
        global pde_loss, bc_loss
        optimizer.zero_grad()
        second = batch_hessian(model, inner, create_graph=True)
        pde_loss = ((second[:, 0, 0] + second[:, 1, 1])[:, None] - source(inner)).pow(2).mean()
        bc_loss = (model(edge) - solution(edge)).pow(2).mean()
        loss = 0.01 * pde_loss + bc_loss
        loss.backward()
        return loss
    for step in range(3):
        if step % 2 == 0:
            model.update_grid_from_samples(inner)
        optimizer.step(closure)
        print(step, pde_loss.item(), bc_loss.item(), batch_jacobian(model, inner).norm().item())


def derivatives():
    from kan.hypothesis import detect_separability, test_symmetry
    model, data = _model(), _data()
    model.fit(data, opt="LBFGS", steps=2)
    for _ in range(2):
        try:
            print(detect_separability(model, data["train_input"][:50], mode="add"))
            print(test_symmetry(model, data["train_input"][:50], [0, 1]))
        except Exception as error:
            print(type(error).__name__, error)


def mlps():
    from kan.MLP import MLP
    model, data = MLP(width=[2, 8, 1], device=device), _data()
    for opt in ("LBFGS", "Adam"):
        print(model.fit(data, opt=opt, steps=6, lr=1e-2 if opt == "Adam" else 1.0, lamb=0.001)["test_loss"][-1])
