from __future__ import division
from __future__ import print_function

import argparse
import glob
import math
import os
import random
import time

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.nn.parameter import Parameter


class GraphConvolution(nn.Module):
    """Simple GCN layer, similar to https://arxiv.org/abs/1609.02907"""

    def __init__(self, in_features, out_features, bias=True):
        super(GraphConvolution, self).__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(torch.FloatTensor(in_features, out_features))
        if bias:
            self.bias = Parameter(torch.FloatTensor(out_features))
        else:
            self.register_parameter('bias', None)
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1. / math.sqrt(self.weight.size(1))
        self.weight.data.uniform_(-stdv, stdv)
        if self.bias is not None:
            self.bias.data.uniform_(-stdv, stdv)

    def forward(self, input, adj):
        support = torch.mm(input, self.weight)
        output = torch.spmm(adj, support)
        return output + self.bias if self.bias is not None else output

    def __repr__(self):
        return self.__class__.__name__ + ' (' + str(self.in_features) + ' -> ' + str(self.out_features) + ')'


class SpGraphAttentionLayer(nn.Module):
    """Sparse multi head GAT layer on an edge list."""

    def __init__(self, in_features, out_features, heads, dropout, alpha, concat=True):
        super(SpGraphAttentionLayer, self).__init__()
        self.heads, self.out_features, self.concat = heads, out_features, concat
        self.W = nn.Linear(in_features, heads * out_features, bias=False)
        self.a_src = Parameter(torch.empty(heads, out_features))
        self.a_dst = Parameter(torch.empty(heads, out_features))
        for p in (self.a_src, self.a_dst, self.W.weight):
            nn.init.xavier_normal_(p.data, gain=1.414)
        self.leakyrelu = nn.LeakyReLU(alpha)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, adj):
        edge = adj.coalesce().indices()
        N = x.size(0)
        h = self.W(x).view(N, self.heads, self.out_features)
        assert not torch.isnan(h).any()
        src, dst = edge[1], edge[0]
        e = self.leakyrelu((h * self.a_src).sum(-1)[src] + (h * self.a_dst).sum(-1)[dst])  # E x H
        m = torch.full((N, self.heads), -1e9, device=x.device).scatter_reduce(
            0, dst[:, None].expand_as(e), e, reduce='amax')
        w = torch.exp(e - m[dst])
        z = torch.zeros(N, self.heads, device=x.device).index_add_(0, dst, w)
        w = self.dropout(w / (z[dst] + 1e-9))
        out = torch.zeros_like(h).index_add_(0, dst, h[src] * w.unsqueeze(-1))
        assert not torch.isnan(out).any()
        return F.elu(out.flatten(1)) if self.concat else out.mean(1)


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass, dropout, **kw):
        super(GCN, self).__init__()
        self.gc1 = GraphConvolution(nfeat, nhid)
        self.gc2 = GraphConvolution(nhid, nclass)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.relu(self.gc1(x, adj))
        x = F.dropout(x, self.dropout, training=self.training)
        return F.log_softmax(self.gc2(x, adj), dim=1)


class GAT(nn.Module):
    def __init__(self, nfeat, nhid, nclass, dropout, alpha=0.2, heads=4):
        super(GAT, self).__init__()
        self.dropout = dropout
        self.att1 = SpGraphAttentionLayer(nfeat, nhid, heads, dropout, alpha)
        self.att2 = SpGraphAttentionLayer(nhid * heads, nclass, 1, dropout, alpha, concat=False)

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, training=self.training)
        x = self.att1(x, adj)
        x = F.dropout(x, self.dropout, training=self.training)
        return F.log_softmax(self.att2(x, adj), dim=1)


def encode_onehot(labels):
    classes = sorted(set(labels))
    classes_dict = {c: np.identity(len(classes))[i, :] for i, c in enumerate(classes)}
    return np.array(list(map(classes_dict.get, labels)), dtype=np.int32)


def load_data(n=600, n_feat=64, n_class=5, seed=0):
    """Stochastic block model with cora like bag-of-words features"""
    print('Loading {} dataset...'.format('sbm'))
    rs = np.random.RandomState(seed)
    labels = rs.randint(n_class, size=n)
    same = labels[:, None] == labels[None, :]
    adj = sp.coo_matrix(rs.rand(n, n) < np.where(same, 0.03, 0.003), dtype=np.float32)
    proto = rs.rand(n_class, n_feat) < 0.2
    features = sp.csr_matrix((rs.rand(n, n_feat) < np.where(proto[labels], 0.3, 0.1)), dtype=np.float32)
    labels = encode_onehot(labels.tolist())

    # build symmetric adjacency matrix
    adj = adj + adj.T.multiply(adj.T > adj) - adj.multiply(adj.T > adj)
    features = normalize(features)
    adj = normalize(adj + sp.eye(adj.shape[0]))

    idx = rs.permutation(n)
    idx_train, idx_val, idx_test = idx[:100], idx[100:300], idx[300:]
    train_mask, val_mask, test_mask = (index_to_mask(i, n) for i in (idx_train, idx_val, idx_test))

    features = torch.FloatTensor(np.array(features.todense()))
    labels = torch.LongTensor(np.where(labels)[1])
    adj = sparse_mx_to_torch_sparse_tensor(adj)
    return adj, features, labels, train_mask, val_mask, test_mask


def index_to_mask(idx, n):
    m = torch.zeros(n, dtype=torch.bool)
    m[idx] = True
    return m


def normalize(mx):
    """Row-normalize sparse matrix"""
    rowsum = np.array(mx.sum(1)).astype(float)
    with np.errstate(divide='ignore'):
        r_inv = np.power(rowsum, -1).flatten()
    r_inv[np.isinf(r_inv)] = 0.
    return sp.diags(r_inv).dot(mx)


def accuracy(output, labels):
    preds = output.max(1)[1].type_as(labels)
    correct = preds.eq(labels).double()
    correct = correct.sum()
    return correct / len(labels)


def sparse_mx_to_torch_sparse_tensor(sparse_mx):
    """Convert a scipy sparse matrix to a torch sparse tensor."""
    sparse_mx = sparse_mx.tocoo().astype(np.float32)
    indices = torch.from_numpy(np.vstack((sparse_mx.row, sparse_mx.col)).astype(np.int64))
    values = torch.from_numpy(sparse_mx.data)
    return torch.sparse_coo_tensor(indices, values, torch.Size(sparse_mx.shape))


# Training settings
parser = argparse.ArgumentParser()
parser.add_argument('--no-cuda', action='store_true', default=False, help='Disables CUDA training.')
parser.add_argument('--fastmode', action='store_true', default=False, help='Validate during training pass.')
parser.add_argument('--model', default='gat', choices=['gcn', 'gat'])
parser.add_argument('--seed', type=int, default=72, help='Random seed.')
parser.add_argument('--epochs', type=int, default=40, help='Number of epochs to train.')
parser.add_argument('--runs', type=int, default=2)
parser.add_argument('--lr', type=float, default=0.01, help='Initial learning rate.')
parser.add_argument('--weight_decay', type=float, default=5e-4, help='Weight decay (L2 loss on parameters).')
parser.add_argument('--hidden', type=int, default=8, help='Number of hidden units.')
parser.add_argument('--dropout', type=float, default=0.5)
parser.add_argument('--patience', type=int, default=20, help='Patience')
parser.add_argument('--ckpt', default='/tmp/gnn_ckpt')

args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()

# Load data
adj, features, labels, train_mask, val_mask, test_mask = load_data()
if args.cuda:
    features = features.cuda()
    adj = adj.cuda()
    labels = labels.cuda()
    train_mask = train_mask.cuda()
    val_mask = val_mask.cuda()
    test_mask = test_mask.cuda()
if not os.path.exists(args.ckpt):
    os.makedirs(args.ckpt)


def train(epoch):
    t = time.time()
    model.train()
    optimizer.zero_grad()
    output = model(features, adj)
    loss_train = F.nll_loss(output[train_mask], labels[train_mask])
    acc_train = accuracy(output[train_mask], labels[train_mask])
    loss_train.backward()
    optimizer.step()

    if not args.fastmode:
        # Evaluate validation set performance separately,
        # deactivates dropout during validation run.
        model.eval()
        with torch.no_grad():
            output = model(features, adj)

    loss_val = F.nll_loss(output[val_mask], labels[val_mask])
    acc_val = accuracy(output[val_mask], labels[val_mask])
    print('Epoch: {:04d}'.format(epoch + 1),
          'loss_train: {:.4f}'.format(loss_train.data.item()),
          'acc_train: {:.4f}'.format(acc_train.data.item()),
          'loss_val: {:.4f}'.format(loss_val.data.item()),
          'acc_val: {:.4f}'.format(acc_val.data.item()),
          'time: {:.4f}s'.format(time.time() - t))
    return loss_val.data.item()


def compute_test():
    model.eval()
    with torch.no_grad():
        output = model(features, adj)
        loss_test = F.nll_loss(output[test_mask], labels[test_mask])
        acc_test = accuracy(output[test_mask], labels[test_mask])
        for c in range(int(labels.max()) + 1):
            m = test_mask & (labels == c)
            print('  class {}: {:.3f} ({} nodes)'.format(c, accuracy(output[m], labels[m]).item(), int(m.sum())))
    print("Test set results:", "loss= {:.4f}".format(loss_test.item()), "accuracy= {:.4f}".format(acc_test.item()))
    return acc_test.item()


accs = []
for run in range(args.runs):
    random.seed(args.seed + run)
    np.random.seed(args.seed + run)
    torch.manual_seed(args.seed + run)
    if args.cuda:
        torch.cuda.manual_seed(args.seed + run)

    # Model and optimizer
    model = {'gcn': GCN, 'gat': GAT}[args.model](nfeat=features.shape[1], nhid=args.hidden,
                                                nclass=int(labels.max()) + 1, dropout=args.dropout)
    if args.cuda:
        model.cuda()
    optimizer = optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)

    t_total = time.time()
    loss_values = []
    bad_counter = 0
    best = args.epochs + 1
    best_epoch = 0
    for epoch in range(args.epochs):
        loss_values.append(train(epoch))
        torch.save(model.state_dict(), os.path.join(args.ckpt, '{}.pkl'.format(epoch)))
        if loss_values[-1] < best:
            best = loss_values[-1]
            best_epoch = epoch
            bad_counter = 0
        else:
            bad_counter += 1
        if bad_counter == args.patience:
            break
        for file in glob.glob(os.path.join(args.ckpt, '*.pkl')):
            epoch_nb = int(os.path.basename(file).split('.')[0])
            if epoch_nb < best_epoch:
                os.remove(file)

    for file in glob.glob(os.path.join(args.ckpt, '*.pkl')):
        epoch_nb = int(os.path.basename(file).split('.')[0])
        if epoch_nb > best_epoch:
            os.remove(file)
    print("Optimization Finished!")
    print("Total time elapsed: {:.4f}s".format(time.time() - t_total))

    # Restore best model
    print('Loading {}th epoch'.format(best_epoch))
    model.load_state_dict(torch.load(os.path.join(args.ckpt, '{}.pkl'.format(best_epoch))))
    accs.append(compute_test())

print('%d runs: %.4f +- %.4f' % (args.runs, np.mean(accs), np.std(accs)))
