import torch
import torch.nn.functional as F


def extract(net, loader, device):
    feats, labels = [], []
    net.eval()
    with torch.no_grad():
        for x, y in loader:
            f = net.encoder(x.to(device)).flatten(1)
            feats.append(F.normalize(f, dim=1).cpu())
            labels.append(y)
    return torch.cat(feats), torch.cat(labels)


def knn_accuracy(net, bank_loader, test_loader, num_classes, device, k=20, t=0.1):
    bank, bank_labels = extract(net, bank_loader, device)
    test, test_labels = extract(net, test_loader, device)
    bank = bank.t().to(device)
    bank_labels = bank_labels.to(device)
    total_top1, total_num = 0.0, 0
    for i in range(0, len(test), 64):
        feature = test[i:i + 64].to(device)
        target = test_labels[i:i + 64].to(device)
        sim_matrix = torch.mm(feature, bank)
        sim_weight, sim_indices = sim_matrix.topk(k=k, dim=-1)
        sim_labels = torch.gather(bank_labels.expand(feature.size(0), -1), dim=-1, index=sim_indices)
        sim_weight = (sim_weight / t).exp()
        # counts for each class
        one_hot_label = torch.zeros(feature.size(0) * k, num_classes, device=sim_labels.device)
        one_hot_label = one_hot_label.scatter(dim=-1, index=sim_labels.view(-1, 1), value=1.0)
        # weighted score ---> [B, C]
        pred_scores = torch.sum(one_hot_label.view(feature.size(0), -1, num_classes) * sim_weight.unsqueeze(dim=-1), dim=1)
        pred_labels = pred_scores.argsort(dim=-1, descending=True)
        total_top1 += torch.sum((pred_labels[:, 0] == target).float()).item()
        total_num += feature.size(0)
    return total_top1 / total_num * 100
