"""torch_geometric_signed_directed: signed and directed graphs, as its case studies train them."""
import numpy as np
import torch
import torch.nn.functional as F
from scipy.sparse import coo_matrix

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
np.random.seed(0)


def _signed(nodes=90, groups=3):
    from torch_geometric_signed_directed import SSBM, SignedData
    (positive, negative), labels = SSBM(nodes, groups, 0.15, 0.05, pout=0.15)
    data = SignedData(y=torch.LongTensor(labels), A=(positive, negative))
    data.set_spectral_adjacency_reg_features(groups)
    return data


def _directed(nodes=90, groups=3):
    from torch_geometric_signed_directed import DSBM, DirectedData, meta_graph_generation
    pattern = meta_graph_generation("cyclic", groups, 0.05, False, 0.5)
    adjacency, labels = DSBM(nodes, groups, 0.15, pattern)
    data = DirectedData(A=coo_matrix(adjacency).astype(np.float32), y=torch.LongTensor(np.asarray(labels)))
    data.set_hermitian_features(groups)
    data.node_split(train_size_per_class=0.6, val_size_per_class=0.2, test_size_per_class=0.2, seed_size_per_class=0.2, data_split=1)
    return data


def _features(data):
    from torch_geometric_signed_directed import in_out_degree
    x = data.x if data.x is not None else in_out_degree(data.edge_index, size=int(data.num_nodes), signed=False)
    return torch.as_tensor(np.asarray(x)).float().to(device)


def _steps(model, step, epochs=4, check=None):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        loss = step()
        loss.backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            print(type(model).__name__, f"epoch {epoch}: {loss:.4f}", "" if check is None else check())


def _edges():
    data = _signed()
    data.separate_positive_negative()
    signs = data.edge_weight.sign().long()
    return data, torch.cat([data.edge_index, signs[None]]).t().to(device)


def _link_signs(kind, **options):
    import torch_geometric_signed_directed.nn as nets
    from torch_geometric_signed_directed import link_sign_prediction_logistic_function
    data, edges = _edges()
    test = edges[::5].cpu().numpy()
    train = edges[torch.arange(len(edges), device=device) % 5 != 0]
    model = getattr(nets, kind)(int(data.num_nodes), train, **options).to(device)

    def check():
        z = model().cpu().numpy()
        seen = train.cpu().numpy()
        return link_sign_prediction_logistic_function(z, seen[:, :2], seen[:, 2], test[:, :2], test[:, 2])[:2]
    _steps(model, model.loss, 3, check)


def sign_convolutions():
    _link_signs("SGCN", in_dim=8, out_dim=8, layer_num=2, lamb=5)


def sign_attention():
    _link_signs("SNEA", in_dim=8, out_dim=8, layer_num=2, lamb=4)


def sign_motifs():
    _link_signs("SiGAT", in_dim=8, out_dim=8)


def sign_directions():
    _link_signs("SDGNN", in_dim=8, out_dim=8, layer_num=2)


def signed_clusters():
    from torch_geometric_signed_directed import Prob_Balanced_Normalized_Loss, Prob_Balanced_Ratio_Loss, SSSNET_node_clustering, Unhappy_Ratio, triplet_loss_node_classification
    from sklearn.metrics import adjusted_rand_score
    data = _signed()
    data.separate_positive_negative()
    x = _features(data)
    parts = [part.to(device) for part in (data.edge_index_p, data.edge_weight_p, data.edge_index_n, data.edge_weight_n)]
    seeds = torch.arange(0, 90, 4, device=device)
    labels = data.y.to(device)
    normalized = Prob_Balanced_Normalized_Loss(A_p=data.A_p, A_n=data.A_n).to(device)
    ratio = Prob_Balanced_Ratio_Loss(A_p=data.A_p, A_n=data.A_n).to(device)
    unhappy = Unhappy_Ratio(A_p=data.A_p, A_n=data.A_n).to(device)
    model = SSSNET_node_clustering(nfeat=x.shape[1], hidden=8, nclass=3, dropout=0.5, hop=2, fill_value=0.5, directed=False, bias=True).to(device)

    def step():
        z, log_prob, _, prob = model(*parts, features=x)
        loss = normalized(prob) + ratio(prob)
        triplet = triplet_loss_node_classification(y=data.y[seeds.cpu()], Z=z[seeds], n_sample=100, thre=0.1)
        return loss + 50 * (F.nll_loss(log_prob[seeds], labels[seeds]) + 0.1 * triplet)

    def check():
        _, _, predicted, prob = model(*parts, features=x)
        return adjusted_rand_score(predicted.cpu(), data.y), unhappy(prob).item()
    _steps(model, step, 3, check)


def signed_links():
    from torch_geometric_signed_directed import SSSNET_link_prediction
    data = _signed()
    x = _features(data)
    splits = data.link_split(prob_val=0.1, prob_test=0.1, task="sign", splits=2, device=device)
    for i in splits:
        graph, weight = splits[i]["graph"], splits[i]["weights"]
        positive = weight > 0
        parts = graph[:, positive], weight[positive], graph[:, ~positive], -weight[~positive]
        model = SSSNET_link_prediction(nfeat=x.shape[1], hidden=8, nclass=2, dropout=0.5, hop=2, fill_value=0.5, directed=False).to(device)

        def step():
            return F.nll_loss(model(*parts, x, splits[i]["train"]["edges"]), splits[i]["train"]["label"])

        def check():
            return (model(*parts, x, splits[i]["val"]["edges"]).argmax(1) == splits[i]["val"]["label"]).float().mean().item()
        _steps(model, step, 3, check)


def _magnetic(kind, data, epochs=3, **options):
    import torch_geometric_signed_directed.nn as nets
    x = _features(data)
    edges, weight, labels = data.edge_index.to(device), data.edge_weight.to(device), data.y.to(device)
    model = getattr(nets, kind)(num_features=x.shape[1], hidden=8, label_dim=3, K=1, dropout=0.5, **options).to(device)
    seen = torch.arange(len(labels), device=device) % 2 == 0

    def step():
        return F.nll_loss(model(x, x.clone(), edge_index=edges, edge_weight=weight)[seen], labels[seen])

    def check():
        return (model(x, x.clone(), edge_index=edges, edge_weight=weight)[~seen].argmax(1) == labels[~seen]).sum().item()
    _steps(model, step, epochs, check)


def magnetic_nodes():
    _magnetic("MagNet_node_classification", _directed(), q=0.25, activation=True)


def magnetic_learned():
    _magnetic("MagNet_node_classification", _directed(), q=0.1, trainable_q=True, activation=True)


def magnetic_cached():
    _magnetic("MagNet_node_classification", _directed(), q=0.25, cached=True, activation=True)


def magnetic_signed():
    _magnetic("MSGNN_node_classification", _signed(), q=0.25, activation=True)


def _magnetic_links(kind, data, task, classes, **options):
    import torch_geometric_signed_directed.nn as nets
    x = _features(data)
    splits = data.link_split(prob_val=0.1, prob_test=0.1, task=task, splits=1, device=device)[0]
    model = getattr(nets, kind)(num_features=x.shape[1], hidden=8, label_dim=classes, K=1, q=0.25, activation=True, **options).to(device)

    def run(part):
        return model(x, x.clone(), edge_index=splits["graph"], query_edges=splits[part]["edges"], edge_weight=splits["weights"])

    def step():
        return F.nll_loss(run("train"), splits["train"]["label"])

    def check():
        return [(run(part).max(1)[1].eq(splits[part]["label"]).sum().item() / len(splits[part]["label"])) for part in ("val", "test")]
    _steps(model, step, 3, check)


def magnetic_directions():
    for task, classes in (("direction", 2), ("existence", 2), ("three_class_digraph", 3)):
        _magnetic_links("MagNet_link_prediction", _directed(), task, classes)


def magnetic_signed_links():
    for task, classes in (("sign", 2), ("four_class_signed_digraph", 4)):
        try:
            _magnetic_links("MSGNN_link_prediction", _signed(), task, classes)
        except Exception as error:
            print(task, type(error).__name__, error)


def _classify(model, run, labels, epochs=3):
    seen = torch.arange(len(labels), device=device) % 2 == 0
    _steps(model, lambda: F.nll_loss(run(model)[seen], labels[seen]), epochs, lambda: (run(model)[~seen].argmax(1) == labels[~seen]).sum().item())


def second_order():
    from torch_geometric_signed_directed import DGCN_node_classification, directed_features_in_out
    data = _directed()
    x, labels = _features(data), data.y.to(device)
    edges, edge_in, in_w, edge_out, out_w = directed_features_in_out(data.edge_index.to(device), int(data.num_nodes), data.edge_weight.to(device))
    model = DGCN_node_classification(num_features=x.shape[1], hidden=8, label_dim=3, dropout=0.5, improved=True, cached=False).to(device)
    _classify(model, lambda net: net(x, edges, edge_in=edge_in, edge_out=edge_out, in_w=in_w, out_w=out_w), labels)


def page_rank():
    from torch_geometric_signed_directed import DiGCN_node_classification, get_appr_directed_adj
    data = _directed()
    x, labels = _features(data), data.y.to(device)
    edges, weight = get_appr_directed_adj(0.1, data.edge_index.to(device), int(data.num_nodes), x.dtype, data.edge_weight.to(device))
    _classify(DiGCN_node_classification(num_features=x.shape[1], hidden=8, label_dim=3, dropout=0.5).to(device), lambda net: net(x, edges, weight), labels)


def inception():
    from torch_geometric_signed_directed import DiGCN_Inception_Block_node_classification, get_appr_directed_adj, get_second_directed_adj
    data = _directed()
    x, labels = _features(data), data.y.to(device)
    first = get_appr_directed_adj(0.1, data.edge_index, int(data.num_nodes), torch.float32, data.edge_weight)
    second = get_second_directed_adj(data.edge_index, int(data.num_nodes), torch.float32, data.edge_weight)
    edges, weights = tuple(part[0].to(device) for part in (first, second)), tuple(part[1].to(device) for part in (first, second))
    _classify(DiGCN_Inception_Block_node_classification(num_features=x.shape[1], hidden=8, label_dim=3, dropout=0.5).to(device), lambda net: net(x, edges, weights), labels)


def imbalance():
    """Clusters of a directed graph by DIGRAC."""
    from torch_geometric_signed_directed import DIGRAC_node_clustering, Prob_Imbalance_Loss, meta_graph_generation, scipy_sparse_to_torch_sparse
    data = _directed()
    x = _features(data)
    edges, weight, adjacency = data.edge_index.to(device), data.edge_weight.to(device), scipy_sparse_to_torch_sparse(data.A).to(device)
    for normalization, threshold in (("vol_sum", "sort"), ("vol_min", "std"), ("vol_max", "naive"), ("plain", "sort")):
        try:
            loss = Prob_Imbalance_Loss(meta_graph_generation("cyclic", 3, 0.05, False, 0.5))
            model = DIGRAC_node_clustering(num_features=x.shape[1], hidden=8, nclass=3, dropout=0.5, hop=2, fill_value=0.5).to(device)
            _steps(model, lambda: loss(model(edges, weight, x)[3], adjacency, 3, normalization, threshold), 3, lambda: model(edges, weight, x)[2].bincount().tolist())
        except Exception as error:
            print(normalization, threshold, type(error).__name__, error)


def contrast():
    """Two views of a directed graph, by DiGCL."""
    from torch_geometric_signed_directed import DiGCL, cal_fast_appr, drop_feature
    data = _directed()
    x = _features(data)
    model = DiGCL(in_channels=x.shape[1], activation="relu", num_hidden=16, num_proj_hidden=8, tau=0.4, num_layers=2).to(device)
    first = [part.to(device) for part in cal_fast_appr(0.1, data.edge_index, int(data.num_nodes), torch.float32, data.edge_weight)]
    epoch = iter(range(100))

    def step():
        alpha = 0.9 - 0.1 * np.log(next(epoch) + 1)
        second = [part.to(device) for part in cal_fast_appr(alpha, data.edge_index, int(data.num_nodes), torch.float32, data.edge_weight)]
        z1, z2 = model(drop_feature(x, 0.3), *first), model(drop_feature(x, 0.4), *second)
        return model.loss(z1, z2, batch_size=0)

    def check():
        z = model(x, *first)
        return model.loss(z, z, batch_size=32).item(), z.norm().item()
    _steps(model, step, 3, check)


def laplacians():
    from torch_geometric_signed_directed import get_magnetic_Laplacian, get_magnetic_signed_Laplacian, in_out_degree
    data, other = _directed(), _signed()
    for normalization in (None, "sym"):
        for _ in range(2):
            print(get_magnetic_Laplacian(data.edge_index.to(device), data.edge_weight.to(device), normalization=normalization, return_lambda_max=False)[0].shape)
            print(get_magnetic_signed_Laplacian(other.edge_index.to(device), other.edge_weight.to(device), normalization=normalization)[0].shape)
            print(in_out_degree(data.edge_index.to(device), size=90, edge_weight=data.edge_weight.to(device)).shape)
