import math
import sys

import torch

from utils.metrics import backward_transfer, forgetting


class ProgressBar:
    def __init__(self, verbose=True):
        self.old = -1
        self.verbose = verbose

    def prog(self, i, max_iter, epoch, task, loss):
        if not self.verbose or (i and i % 4 != 0 and i < max_iter - 1):
            return
        progress = min(float((i + 1) / max_iter), 1)
        bar = '#' * int(20 * progress) + '-' * (20 - int(20 * progress))
        print('\r[ task {} | epoch {} ] |{}| loss: {}'.format(task, epoch, bar, round(loss, 5)), file=sys.stderr,
              end='', flush=True)


def mask_classes(outputs: torch.Tensor, dataset, k: int) -> None:
    """Task-IL: all the classes but those of task k get -inf"""
    outputs[:, 0:k * dataset.N_CLASSES_PER_TASK] = -float('inf')
    outputs[:, (k + 1) * dataset.N_CLASSES_PER_TASK:] = -float('inf')


def evaluate(model, dataset):
    status = model.net.training
    model.net.eval()
    accs, accs_mask_classes = [], []
    for k, test_loader in enumerate(dataset.test_loaders):
        correct, correct_mask_classes, total = 0.0, 0.0, 0.0
        for data in test_loader:
            with torch.no_grad():
                inputs, labels = data
                inputs, labels = inputs.to(model.device), labels.to(model.device)
                outputs = model(inputs)
                _, pred = torch.max(outputs.data, 1)
                correct += torch.sum(pred == labels).item()
                total += labels.shape[0]
                mask_classes(outputs, dataset, k)
                _, pred = torch.max(outputs.data, 1)
                correct_mask_classes += torch.sum(pred == labels).item()
        accs.append(correct / total * 100)
        accs_mask_classes.append(correct_mask_classes / total * 100)
    model.net.train(status)
    return accs, accs_mask_classes


def train(model, dataset, args):
    model.net.to(model.device)
    results, results_mask = [], []
    progress_bar = ProgressBar(verbose=not args.non_verbose)
    for t in range(dataset.N_TASKS):
        model.net.train()
        train_loader, test_loader = dataset.get_data_loaders()
        if hasattr(model, 'begin_task'):
            model.begin_task(dataset)
        for epoch in range(args.n_epochs):
            for i, data in enumerate(train_loader):
                inputs, labels, not_aug_inputs = data
                inputs, labels = inputs.to(model.device), labels.to(model.device)
                not_aug_inputs = not_aug_inputs.to(model.device)
                loss = model.observe(inputs, labels, not_aug_inputs)
                assert not math.isnan(loss)
                progress_bar.prog(i, len(train_loader), epoch, t, loss)
        if hasattr(model, 'end_task'):
            model.end_task(dataset)
        accs, accs_mask = evaluate(model, dataset)
        results.append(accs)
        results_mask.append(accs_mask)
        print('\n{}: accuracy after {} task(s): [Class-IL]: {:.2f} %  [Task-IL]: {:.2f} %'.format(
            model.NAME, t + 1, sum(accs) / len(accs), sum(accs_mask) / len(accs_mask)))
    return {'class_il': sum(results[-1]) / len(results[-1]), 'task_il': sum(results_mask[-1]) / len(results_mask[-1]),
            'bwt': backward_transfer(results), 'forgetting': forgetting(results)}
