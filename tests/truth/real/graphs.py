"""torch_geometric: convolutions, pooling and models trained on small graphs; e3nn's networks."""
import torch
import torch_geometric.nn as G
import torch_geometric.utils as U
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _graph(nodes=20):
    edges = torch.randint(0, nodes, (2, nodes * 3))
    return Data(x=torch.randn(nodes, 8), edge_index=edges, edge_attr=torch.randn(nodes * 3, 4), y=torch.randint(0, 3, (1,)), pos=torch.randn(nodes, 3), z=torch.randint(1, 9, (nodes,)))


def convolutions():
    for make in (lambda: G.GCNConv(8, 8), lambda: G.GCNConv(8, 8, cached=True), lambda: G.GATConv(8, 4, heads=2), lambda: G.GATv2Conv(8, 4, heads=2), lambda: G.SAGEConv(8, 8), lambda: G.GINConv(torch.nn.Linear(8, 8)), lambda: G.TransformerConv(8, 4, heads=2), lambda: G.ChebConv(8, 8, 3), lambda: G.ARMAConv(8, 8), lambda: G.TAGConv(8, 8), lambda: G.SGConv(8, 8), lambda: G.APPNP(3, 0.1),
                 lambda: G.GatedGraphConv(8, 2), lambda: G.GraphConv(8, 8), lambda: G.LEConv(8, 8), lambda: G.ClusterGCNConv(8, 8), lambda: G.PNAConv(8, 8, ["mean", "max"], ["identity", "amplification"], torch.tensor([0, 2, 5, 3])), lambda: G.ResGatedGraphConv(8, 8), lambda: G.FiLMConv(8, 8), lambda: G.SuperGATConv(8, 4, heads=2), lambda: G.EGConv(8, 8), lambda: G.GENConv(8, 8), lambda: G.MFConv(8, 8), lambda: G.HypergraphConv(8, 8), lambda: G.FAConv(8), lambda: G.AntiSymmetricConv(8), lambda: G.LGConv(), lambda: G.SSGConv(8, 8, alpha=0.1), lambda: G.DNAConv(8), lambda: G.GCN2Conv(8, 0.1)):
        try:
            conv = make().to(device)
            for _ in range(3):
                graph = _graph().to(device)
                x = graph.x.requires_grad_()
                out = conv(x, x, graph.edge_index) if isinstance(conv, (G.FAConv, G.GCN2Conv)) else conv(x[:, None].repeat(1, 2, 1) if isinstance(conv, G.DNAConv) else x, graph.edge_index)
                out.sum().backward()
                if isinstance(conv, G.SuperGATConv):
                    conv.get_attention_loss()
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)


class Net(torch.nn.Module):
    def __init__(self, pool):
        super().__init__()
        self.first, self.second, self.pool, self.head = G.GCNConv(8, 16), G.GCNConv(16, 16), pool, torch.nn.Linear(16, 3)

    def forward(self, data):
        x, edges, batch = self.first(data.x, data.edge_index).relu(), data.edge_index, data.batch
        out = self.pool(x, edges, batch=batch)
        x, edges = out[0], out[1]
        batch = out[2] if isinstance(self.pool, G.EdgePooling) else out[3]
        return self.head(G.global_mean_pool(self.second(x, edges).relu(), batch))


def pooling():
    for make in (lambda: G.TopKPooling(16, 0.5), lambda: G.SAGPooling(16, 0.5), lambda: G.ASAPooling(16, 0.5), lambda: G.EdgePooling(16), lambda: G.TopKPooling(16, min_score=0.1)):
        try:
            net = Net(make()).to(device)
            optimizer = torch.optim.Adam(net.parameters())
            total = 0.0
            for batch in DataLoader([_graph() for _ in range(12)], batch_size=3):
                batch = batch.to(device)
                loss = torch.nn.functional.cross_entropy(net(batch), batch.y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                total += loss.item() * batch.num_graphs
            print(total)
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)


def aggregation():
    for make in (lambda: G.SortAggregation(4), lambda: G.Set2Set(8, 2), lambda: G.SoftmaxAggregation(learn=True), lambda: G.MedianAggregation(), lambda: G.LSTMAggregation(8, 8), lambda: G.AttentionalAggregation(torch.nn.Linear(8, 1)), lambda: G.GraphMultisetTransformer(8, 2, heads=2), lambda: G.SetTransformerAggregation(8, heads=2), lambda: G.EquilibriumAggregation(8, 4, [8]), lambda: G.QuantileAggregation(0.3), lambda: G.DegreeScalerAggregation("mean", "amplification", torch.tensor([0, 2, 3])), lambda: G.PowerMeanAggregation(), lambda: G.VariancePreservingAggregation(), lambda: G.MLPAggregation(8, 8, 10, num_layers=1)):
        try:
            pool = make().to(device)
            for _ in range(3):
                pool(torch.rand(30, 8, device=device), torch.arange(3, device=device).repeat_interleave(10))
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)
    for _ in range(3):
        x, batch = torch.rand(30, 8, device=device), torch.arange(3, device=device).repeat_interleave(10)
        G.global_add_pool(x, batch), G.global_max_pool(x, batch), G.global_mean_pool(x, batch, 3)


def models():
    for make in (lambda: G.SchNet(hidden_channels=16, num_filters=16, num_interactions=1), lambda: G.DimeNetPlusPlus(16, 1, 1, 8, 4, 16, 3, 4), lambda: G.ViSNet(hidden_channels=16, num_layers=1, num_heads=2, num_rbf=8)):
        try:
            model = make().to(device)
            optimizer = torch.optim.Adam(model.parameters())
            for _ in range(3):
                batch = Batch.from_data_list([_graph(8) for _ in range(2)]).to(device)
                out = model(batch.z, batch.pos, batch.batch)
                (out[0] if isinstance(out, tuple) else out).sum().backward()
                optimizer.step()
                optimizer.zero_grad()
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)
    for _ in range(3):
        graph = _graph().to(device)
        G.GraphSAGE(8, 8, 2, 3).to(device)(graph.x, graph.edge_index), G.LabelPropagation(2, 0.9)(torch.randint(0, 3, (20,), device=device), graph.edge_index, torch.rand(20, device=device) > 0.5)
        G.LightGCN(20, 8, 2).to(device).recommend(graph.edge_index, k=3)


def embeddings():
    graph = _graph(30).to(device)
    vgae = G.VGAE(Encoder()).to(device)
    optimizer = torch.optim.Adam(vgae.parameters())
    for _ in range(3):
        z = vgae.encode(graph.x, graph.edge_index)
        loss = vgae.recon_loss(z, graph.edge_index) + vgae.kl_loss() / 30
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        vgae.test(z.detach(), graph.edge_index, U.negative_sampling(graph.edge_index, 30))
        print(float(loss))


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.std = G.GCNConv(8, 4), G.GCNConv(8, 4)

    def forward(self, x, edges):
        return self.mu(x, edges), self.std(x, edges)


def utilities():
    for _ in range(3):
        graph = _graph().to(device)
        e = graph.edge_index
        batch = torch.arange(2, device=device).repeat_interleave(10)
        U.add_self_loops(e), U.remove_self_loops(e), U.add_remaining_self_loops(e), U.to_undirected(e), U.coalesce(e), U.degree(e[0], 20), U.softmax(torch.rand(60, device=device), e[0]), U.subgraph(torch.tensor([0, 1, 2, 3], device=device), e, relabel_nodes=True), U.k_hop_subgraph(0, 2, e), U.dropout_edge(e), U.dropout_node(e), U.to_dense_batch(graph.x, batch), U.to_dense_adj(e, batch), U.negative_sampling(e), U.is_undirected(e), U.contains_isolated_nodes(e), U.contains_self_loops(e), U.get_laplacian(e), U.scatter(graph.x, batch), U.sort_edge_index(e), U.mask_to_index(batch > 0), U.index_to_mask(torch.tensor([1, 2], device=device)), U.to_torch_coo_tensor(e), U.unbatch(graph.x, batch), U.one_hot(batch), U.homophily(e, batch), U.structured_negative_sampling(e), U.batched_negative_sampling(e, batch), U.dense_to_sparse(torch.rand(4, 4, device=device)), U.segregate_self_loops(e), U.remove_isolated_nodes(e), U.select(graph.x, batch > 0, 0), U.cumsum(batch), U.lexsort([batch, batch]), U.shuffle_node(graph.x), U.mask_feature(graph.x), U.assortativity(e)


def transforms():
    import torch_geometric.transforms as T
    for transform in (T.NormalizeFeatures(), T.AddSelfLoops(), T.GCNNorm(), T.ToUndirected(), T.RandomNodeSplit(num_val=3, num_test=3), T.RandomLinkSplit(), T.AddRandomWalkPE(3), T.AddLaplacianEigenvectorPE(2, is_undirected=True), T.Cartesian(), T.Distance(), T.LocalCartesian(), T.Center(), T.NormalizeScale(), T.RandomJitter(0.1), T.RandomRotate(10), T.FixedPoints(10), T.OneHotDegree(60), T.LocalDegreeProfile(), T.VirtualNode(), T.Constant(), T.RemoveIsolatedNodes(), T.LargestConnectedComponents(), T.GDC(), T.ToDense(30), T.SIGN(2), T.Polar()):
        try:
            for _ in range(3):
                transform(_graph().to(device))
        except Exception as error:
            print(type(transform).__name__, type(error).__name__, error)


def equivariant():
    from e3nn import nn as E
    from e3nn import o3
    from e3nn.io import CartesianTensor, SphericalTensor  # noqa: F401
    from e3nn.math import soft_one_hot_linspace
    irreps = o3.Irreps("4x0e + 2x1o")
    product = o3.FullyConnectedTensorProduct(irreps, o3.Irreps.spherical_harmonics(2), irreps, shared_weights=False).to(device)
    weights = E.FullyConnectedNet([8, 16, product.weight_numel], torch.nn.functional.silu).to(device)
    linear, norm, gate = o3.Linear(irreps, irreps).to(device), E.BatchNorm(irreps).to(device), E.NormActivation(irreps, torch.sigmoid).to(device)
    optimizer = torch.optim.Adam([*weights.parameters(), *linear.parameters(), *norm.parameters()])
    for _ in range(4):
        x, edges = torch.randn(10, irreps.dim, device=device), torch.randint(0, 10, (2, 30), device=device)
        vectors = torch.randn(30, 3, device=device)
        harmonics = o3.spherical_harmonics(o3.Irreps.spherical_harmonics(2), vectors, normalize=True, normalization="component")
        lengths = soft_one_hot_linspace(vectors.norm(dim=1), 0.0, 3.0, 8, basis="smooth_finite", cutoff=True)
        messages = product(x[edges[0]], harmonics, weights(lengths))
        out = torch.zeros(10, irreps.dim, device=device).index_add(0, edges[1], messages)
        gate(norm(linear(out))).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    for _ in range(3):
        rotation = o3.rand_matrix(4).to(device)
        o3.matrix_to_angles(rotation), o3.rand_quaternion(2), o3.axis_angle_to_matrix(torch.rand(2, 3, device=device), torch.rand(2, device=device))
        o3.ToS2Grid(2, (8, 9), device=device)(torch.rand(9, device=device)), o3.Norm(irreps).to(device)(x), o3.ReducedTensorProducts("ij=-ji", i="1o").to(device)(torch.rand(2, 3, device=device), torch.rand(2, 3, device=device))


if __name__ == "__main__":
    for work in (convolutions, pooling, aggregation, models, embeddings, utilities, transforms, equivariant):
        work()
