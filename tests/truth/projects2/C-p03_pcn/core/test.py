import logging

import torch

from core.utils import AverageMeter, var_or_cuda
from models.chamfer import ChamferDistanceL1, ChamferDistanceL2, f_score


def test_net(cfg, epoch_idx, test_loader, network):
    network.eval()
    chamfer_l1 = ChamferDistanceL1()
    chamfer_l2 = ChamferDistanceL2(ignore_zeros=True)
    names = ['CDL1', 'CDL2', 'FScore']
    test_metrics = AverageMeter(names)
    category_metrics = dict()
    with torch.no_grad():
        for taxonomy_ids, model_ids, data in test_loader:
            for k, v in data.items():
                data[k] = var_or_cuda(v)
            coarse, fine = network(data['partial_cloud'])
            for i, taxonomy_id in enumerate(taxonomy_ids):
                pred, gt = fine[i:i + 1], data['gtcloud'][i:i + 1]
                _metrics = [chamfer_l1(pred, gt).item() * 1000, chamfer_l2(pred, gt).item() * 1000,
                            f_score(pred, gt, cfg['test']['f_threshold']).mean().item()]
                test_metrics.update(_metrics)
                if taxonomy_id not in category_metrics:
                    category_metrics[taxonomy_id] = AverageMeter(names)
                category_metrics[taxonomy_id].update(_metrics)

    print('============================ TEST RESULTS ============================')
    print('Taxonomy\t#Sample\t' + '\t'.join(names))
    for taxonomy_id in category_metrics:
        print(taxonomy_id, end='\t')
        print(category_metrics[taxonomy_id]._count[0], end='\t')
        for value in category_metrics[taxonomy_id].avg():
            print('%.4f' % value, end='\t')
        print()
    print('Overall', end='\t\t')
    for value in test_metrics.avg():
        print('%.4f' % value, end='\t')
    print('\n')
    logging.info('[Test] epoch %d %s' % (epoch_idx, test_metrics.avg()))
    return test_metrics.avg(0), test_metrics
