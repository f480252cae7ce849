#!/usr/bin/python3
import argparse
import json
import logging
import os

import numpy as np
import torch
from torch.utils.data import DataLoader

from dataloader import BidirectionalOneShotIterator, TestDataset, TrainDataset
from model import KGEModel


def parse_args(args=None):
    parser = argparse.ArgumentParser(description='Training and Testing Knowledge Graph Embedding Models')
    parser.add_argument('--cuda', action='store_true', default=torch.cuda.is_available(), help='use GPU')
    parser.add_argument('--model', default='RotatE', type=str)
    parser.add_argument('-de', '--double_entity_embedding', action='store_true')
    parser.add_argument('-dr', '--double_relation_embedding', action='store_true')
    parser.add_argument('-n', '--negative_sample_size', default=16, type=int)
    parser.add_argument('-d', '--hidden_dim', default=32, type=int)
    parser.add_argument('-g', '--gamma', default=9.0, type=float)
    parser.add_argument('-adv', '--negative_adversarial_sampling', action='store_true')
    parser.add_argument('-a', '--adversarial_temperature', default=1.0, type=float)
    parser.add_argument('-b', '--batch_size', default=64, type=int)
    parser.add_argument('-r', '--regularization', default=0.0, type=float)
    parser.add_argument('--test_batch_size', default=16, type=int)
    parser.add_argument('-lr', '--learning_rate', default=0.01, type=float)
    parser.add_argument('-cpu', '--cpu_num', default=2, type=int)
    parser.add_argument('-init', '--init_checkpoint', default=None, type=str)
    parser.add_argument('-save', '--save_path', default='/tmp/kge_out', type=str)
    parser.add_argument('--max_steps', default=60, type=int)
    parser.add_argument('--warm_up_steps', default=None, type=int)
    parser.add_argument('--save_checkpoint_steps', default=30, type=int)
    parser.add_argument('--valid_steps', default=30, type=int)
    parser.add_argument('--log_steps', default=10, type=int)
    parser.add_argument('--test_log_steps', default=2, type=int)
    return parser.parse_args(args)


def set_logger(args):
    """Write logs to checkpoint and console"""
    logging.basicConfig(format='%(asctime)s %(levelname)-8s %(message)s', level=logging.INFO,
                        datefmt='%Y-%m-%d %H:%M:%S', filename=os.path.join(args.save_path, 'train.log'), filemode='w')
    console = logging.StreamHandler()
    console.setLevel(logging.INFO)
    console.setFormatter(logging.Formatter('%(asctime)s %(levelname)-8s %(message)s'))
    logging.getLogger('').addHandler(console)


def save_model(model, optimizer, save_variable_list, args):
    argparse_dict = vars(args)
    with open(os.path.join(args.save_path, 'config.json'), 'w') as fjson:
        json.dump(argparse_dict, fjson)
    torch.save({**save_variable_list, 'model_state_dict': model.state_dict(),
                'optimizer_state_dict': optimizer.state_dict()}, os.path.join(args.save_path, 'checkpoint'))
    entity_embedding = model.entity_embedding.detach().cpu().numpy()
    np.save(os.path.join(args.save_path, 'entity_embedding'), entity_embedding)
    relation_embedding = model.relation_embedding.detach().cpu().numpy()
    np.save(os.path.join(args.save_path, 'relation_embedding'), relation_embedding)


def read_triples(nentity=120, nrelation=6, n=1200):
    rs = np.random.RandomState(5)
    shift = rs.randint(1, nentity, size=nrelation)
    triples = set()
    while len(triples) < nentity * nrelation * 2 // 3:
        h, r = int(rs.randint(nentity)), int(rs.randint(nrelation))
        triples.add((h, r, int((h + shift[r] + (rs.rand() < 0.1)) % nentity)))
    triples = sorted(triples)
    rs.shuffle(triples)
    triples = [tuple(int(x) for x in t) for t in triples]
    return nentity, nrelation, triples[:-96], triples[-96:-48], triples[-48:]


def log_metrics(mode, step, metrics):
    for metric in metrics:
        logging.info('%s %s at step %d: %f' % (mode, metric, step, metrics[metric]))


def main(args):
    if args.save_path and not os.path.exists(args.save_path):
        os.makedirs(args.save_path)
    set_logger(args)
    if args.model == 'RotatE':
        args.double_entity_embedding = True
    nentity, nrelation, train_triples, valid_triples, test_triples = read_triples()
    args.nentity, args.nrelation = nentity, nrelation
    logging.info('Model: %s' % args.model)
    logging.info('#entity: %d' % nentity)
    logging.info('#relation: %d' % nrelation)
    logging.info('#train: %d' % len(train_triples))
    all_true_triples = train_triples + valid_triples + test_triples

    kge_model = KGEModel(args.model, nentity, nrelation, args.hidden_dim, args.gamma,
                         args.double_entity_embedding, args.double_relation_embedding)
    logging.info('Model Parameter Configuration:')
    for name, param in kge_model.named_parameters():
        logging.info('Parameter %s: %s, require_grad = %s' % (name, str(param.size()), str(param.requires_grad)))
    if args.cuda:
        kge_model = kge_model.cuda()

    loaders = [DataLoader(TrainDataset(train_triples, nentity, nrelation, args.negative_sample_size, mode),
                          batch_size=args.batch_size, shuffle=True, num_workers=max(1, args.cpu_num // 2),
                          collate_fn=TrainDataset.collate_fn) for mode in ('head-batch', 'tail-batch')]
    train_iterator = BidirectionalOneShotIterator(*loaders)

    def test_loaders(triples):
        return [DataLoader(TestDataset(triples, all_true_triples, nentity, nrelation, mode),
                           batch_size=args.test_batch_size, collate_fn=TestDataset.collate_fn)
                for mode in ('head-batch', 'tail-batch')]

    current_learning_rate = args.learning_rate
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, kge_model.parameters()), lr=current_learning_rate)
    warm_up_steps = args.warm_up_steps if args.warm_up_steps else args.max_steps // 2
    init_step = 0
    if args.init_checkpoint:
        checkpoint = torch.load(os.path.join(args.init_checkpoint, 'checkpoint'))
        init_step = checkpoint['step']
        kge_model.load_state_dict(checkpoint['model_state_dict'])
        optimizer.load_state_dict(checkpoint['optimizer_state_dict'])

    training_logs = []
    step = init_step
    for step in range(init_step, args.max_steps):
        log = kge_model.train_step(kge_model, optimizer, train_iterator, args)
        training_logs.append(log)
        if step >= warm_up_steps:
            current_learning_rate = current_learning_rate / 10
            logging.info('Change learning_rate to %f at step %d' % (current_learning_rate, step))
            optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, kge_model.parameters()),
                                         lr=current_learning_rate)
            warm_up_steps = warm_up_steps * 3
        if step % args.save_checkpoint_steps == 0:
            save_model(kge_model, optimizer, {'step': step, 'current_learning_rate': current_learning_rate,
                                              'warm_up_steps': warm_up_steps}, args)
        if step % args.log_steps == 0:
            metrics = {}
            for metric in training_logs[0].keys():
                metrics[metric] = sum([log[metric] for log in training_logs]) / len(training_logs)
            log_metrics('Training average', step, metrics)
            training_logs = []
        if (step + 1) % args.valid_steps == 0:
            logging.info('Evaluating on Valid Dataset...')
            log_metrics('Valid', step, kge_model.test_step(kge_model, test_loaders(valid_triples), args))

    save_model(kge_model, optimizer, {'step': step, 'current_learning_rate': current_learning_rate}, args)
    log_metrics('Test', step, kge_model.test_step(kge_model, test_loaders(test_triples), args))


if __name__ == '__main__':
    main(parse_args())
