#!/usr/bin/env python3 -u
import argparse
import collections
import os
import random
import tempfile

import torch
from torch.utils.data import DataLoader

from fairsum import criterions
from fairsum.data import Dictionary, MaxTokensBatchSampler, SummaryDataset, collate_fn, generate_corpus
from fairsum.meters import AverageMeter, TimeMeter, format_stats
from fairsum.models import ARCH_REGISTRY, build_model
from fairsum.rouge import rouge_l, rouge_n
from fairsum.sequence_generator import SequenceGenerator


def get_parser():
    p = argparse.ArgumentParser('Trainer')
    p.add_argument('--arch', default='transformer_tiny', choices=ARCH_REGISTRY.keys())
    p.add_argument('--criterion', default='label_smoothed_cross_entropy', choices=criterions.CRITERION_REGISTRY.keys())
    p.add_argument('--label-smoothing', type=float, default=0.1)
    p.add_argument('--lr', type=float, default=2e-3)
    p.add_argument('--warmup-updates', type=int, default=30)
    p.add_argument('--clip-norm', type=float, default=0.1)
    p.add_argument('--dropout', type=float, default=0.1)
    p.add_argument('--max-tokens', type=int, default=3000)
    p.add_argument('--update-freq', type=int, default=1)
    p.add_argument('--max-epoch', type=int, default=3)
    p.add_argument('--patience', type=int, default=2)
    p.add_argument('--beam', type=int, default=5)
    p.add_argument('--lenpen', type=float, default=1.)
    p.add_argument('--no-repeat-ngram-size', type=int, default=3)
    p.add_argument('--log-interval', type=int, default=10)
    p.add_argument('--save-dir', default='')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--cpu', action='store_true')
    return p


def move_to_cuda(sample):
    if torch.is_tensor(sample):
        return sample.cuda()
    if isinstance(sample, dict):
        return {k: move_to_cuda(v) for k, v in sample.items()}
    if isinstance(sample, list):
        return [move_to_cuda(x) for x in sample]
    return sample


class Trainer(object):
    def __init__(self, args, model, criterion):
        self.args = args
        self.cuda = torch.cuda.is_available() and not args.cpu
        self.model = model.cuda() if self.cuda else model
        self.criterion = criterion
        self.optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.98), eps=1e-8)
        self.num_updates = 0
        self.meters = collections.OrderedDict(
            train_loss=AverageMeter(), train_nll_loss=AverageMeter(), gnorm=AverageMeter(), clip=AverageMeter(),
            wps=TimeMeter())
        self.lr_step()

    def prepare(self, sample):
        return move_to_cuda(sample) if self.cuda else sample

    def lr_step(self):
        # inverse square root of the update number
        w = self.args.warmup_updates
        n = self.num_updates + 1
        lr = self.args.lr * (n / w if n < w else (w / n) ** 0.5)
        for g in self.optimizer.param_groups:
            g['lr'] = lr
        return lr

    def train_step(self, samples):
        self.model.train()
        self.optimizer.zero_grad()
        logs, sample_size = [], 0
        for sample in samples:
            loss, size, log = self.criterion(self.model, self.prepare(sample))
            loss.backward()
            logs.append(log)
            sample_size += size
        for p in self.model.parameters():
            if p.grad is not None:
                p.grad.data.mul_(1. / sample_size)
        gnorm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip_norm).item()
        self.optimizer.step()
        self.num_updates += 1
        self.lr_step()

        agg = criterions.aggregate(logs)
        self.meters['train_loss'].update(agg['loss'], agg['ntokens'])
        self.meters['train_nll_loss'].update(agg['nll_loss'], agg['ntokens'])
        self.meters['gnorm'].update(gnorm)
        self.meters['clip'].update(1. if gnorm > self.args.clip_norm else 0.)
        self.meters['wps'].update(agg['ntokens'])
        return agg

    def valid_step(self, sample):
        with torch.no_grad():
            self.model.eval()
            _, _, log = self.criterion(self.model, self.prepare(sample))
        return log

    def save_checkpoint(self, path, extra):
        torch.save({'args': vars(self.args), 'model': self.model.state_dict(), 'num_updates': self.num_updates,
                    'last_optimizer_state': self.optimizer.state_dict(), 'extra_state': extra}, path)

    def load_checkpoint(self, path):
        state = torch.load(path, map_location='cpu', weights_only=False)
        self.model.load_state_dict(state['model'])
        return state['extra_state']


def group(itr, n):
    chunk = []
    for x in itr:
        chunk.append(x)
        if len(chunk) == n:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def train(args, trainer, loader, epoch):
    for m in trainer.meters.values():
        m.reset()
    loader.batch_sampler.set_epoch(epoch)
    for i, samples in enumerate(group(loader, args.update_freq)):
        trainer.train_step(samples)
        if (i + 1) % args.log_interval == 0:
            stats = [(k, float(m.avg)) for k, m in trainer.meters.items()]
            stats.append(('lr', trainer.optimizer.param_groups[0]['lr']))
            print('| epoch {:03d} | {} | num_updates {}'.format(epoch, format_stats(stats), trainer.num_updates))


def validate(args, trainer, loader):
    agg = criterions.aggregate([trainer.valid_step(s) for s in loader])
    return agg['nll_loss']


def score(args, trainer, loader, dataset, d, max_sents=48):
    gen = SequenceGenerator(trainer.model, d, args.beam, 20, args.lenpen, args.no_repeat_ngram_size)
    r1, r2, rl, n = 0., 0., 0., 0
    for sample in loader:
        s = trainer.prepare(sample)
        hypos = gen.generate(s)
        for sid, h in zip(s['id'].tolist(), hypos):
            ref = dataset.pairs[sid][1].split()
            hyp = d.string(h[0]['tokens'].cpu().tolist()).split() if h else []
            if n < 3:
                print('T-%d\t%s\nH-%d\t%s' % (sid, ' '.join(ref), sid, ' '.join(hyp)))
            r1 += rouge_n(hyp, ref, 1)
            r2 += rouge_n(hyp, ref, 2)
            rl += rouge_l(hyp, ref)
            n += 1
        if n >= max_sents:
            break
    print('| rouge-1 {:.3f} | rouge-2 {:.3f} | rouge-l {:.3f} ({} sentences)'.format(r1 / n, r2 / n, rl / n, n))


def main(args):
    print(args)
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    save_dir = args.save_dir or tempfile.mkdtemp()

    train_pairs, valid_pairs = generate_corpus(2400, 1), generate_corpus(160, 2)
    d = Dictionary.build([s for p in train_pairs for s in p])
    print('| dictionary: {} types'.format(len(d)))
    trainset, validset = SummaryDataset(train_pairs, d), SummaryDataset(valid_pairs, d)
    train_loader = DataLoader(trainset, collate_fn=collate_fn, num_workers=1,
                              batch_sampler=MaxTokensBatchSampler(trainset, args.max_tokens))
    valid_loader = DataLoader(validset, collate_fn=collate_fn,
                              batch_sampler=MaxTokensBatchSampler(validset, 1200, shuffle=False))

    model = build_model(args, d)
    criterion = criterions.CRITERION_REGISTRY[args.criterion](args, d.pad_index)
    print('| num. model params: {}'.format(sum(p.numel() for p in model.parameters())))
    trainer = Trainer(args, model, criterion)

    best, bad = float('inf'), 0
    ckpt = os.path.join(save_dir, 'checkpoint_best.pt')
    for epoch in range(1, args.max_epoch + 1):
        train(args, trainer, train_loader, epoch)
        val = validate(args, trainer, valid_loader)
        print('| epoch {:03d} | valid on \'valid\' subset | nll_loss {:.4f} | ppl {:.2f}'.format(epoch, val, 2 ** val))
        if val < best:
            best, bad = val, 0
            trainer.save_checkpoint(ckpt, {'epoch': epoch, 'best': best})
        else:
            bad += 1
            if bad >= args.patience:
                print('| early stop')
                break
    extra = trainer.load_checkpoint(ckpt)
    print('| loaded best checkpoint of epoch {epoch} ({best:.3f})'.format(**extra))
    score(args, trainer, valid_loader, validset, d)


if __name__ == '__main__':
    main(get_parser().parse_args())
