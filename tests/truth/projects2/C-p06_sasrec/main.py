import argparse
import os
import tempfile
import time

import numpy as np
import torch

from model import SASRec
from utils import WarpSampler, data_partition, evaluate, evaluate_valid, generate_data


def str2bool(s):
    if s not in {'false', 'true'}:
        raise ValueError('Not a valid boolean string')
    return s == 'true'


parser = argparse.ArgumentParser()
parser.add_argument('--dataset', default='fake')
parser.add_argument('--train_dir', default='default')
parser.add_argument('--batch_size', default=32, type=int)
parser.add_argument('--lr', default=0.002, type=float)
parser.add_argument('--maxlen', default=40, type=int)
parser.add_argument('--hidden_units', default=48, type=int)
parser.add_argument('--num_blocks', default=2, type=int)
parser.add_argument('--num_epochs', default=4, type=int)
parser.add_argument('--num_heads', default=1, type=int)
parser.add_argument('--dropout_rate', default=0.2, type=float)
parser.add_argument('--l2_emb', default=1e-5, type=float)
parser.add_argument('--device', default='cuda', type=str)
parser.add_argument('--eval_users', default=300, type=int)
parser.add_argument('--eval_every', default=2, type=int)
parser.add_argument('--inference_only', default=False, type=str2bool)
parser.add_argument('--state_dict_path', default=None, type=str)

args = parser.parse_args()

if __name__ == '__main__':
    np.random.seed(7)
    torch.manual_seed(7)
    workdir = tempfile.mkdtemp()
    args.train_dir = os.path.join(workdir, args.dataset + '_' + args.train_dir)
    if not os.path.isdir(args.train_dir):
        os.makedirs(args.train_dir)
    with open(os.path.join(args.train_dir, 'args.txt'), 'w') as f:
        f.write('\n'.join([str(k) + ',' + str(v) for k, v in sorted(vars(args).items(), key=lambda x: x[0])]))

    data_file = os.path.join(workdir, args.dataset + '.txt')
    generate_data(data_file)
    dataset = data_partition(data_file)
    [user_train, user_valid, user_test, usernum, itemnum] = dataset
    num_batch = (len(user_train) - 1) // args.batch_size + 1
    cc = 0.0
    for u in user_train:
        cc += len(user_train[u])
    print('average sequence length: %.2f' % (cc / len(user_train)))
    print('users %d items %d batches %d' % (usernum, itemnum, num_batch))

    f = open(os.path.join(args.train_dir, 'log.txt'), 'w')
    f.write('epoch (val_ndcg, val_hr) (test_ndcg, test_hr)\n')

    sampler = WarpSampler(user_train, usernum, itemnum, batch_size=args.batch_size, maxlen=args.maxlen, n_workers=2)
    model = SASRec(usernum, itemnum, args).to(args.device)

    for name, param in model.named_parameters():
        try:
            torch.nn.init.xavier_normal_(param.data)
        except:
            pass  # just ignore those failed init layers
    model.pos_emb.weight.data[0, :] = 0
    model.item_emb.weight.data[0, :] = 0

    model.train()
    epoch_start_idx = 1
    if args.state_dict_path is not None:
        model.load_state_dict(torch.load(args.state_dict_path, map_location=torch.device(args.device)))

    if args.inference_only:
        model.eval()
        t_test = evaluate(model, dataset, args)
        print('test (NDCG@10: %.4f, HR@10: %.4f, MRR: %.4f)' % t_test)

    bce_criterion = torch.nn.BCEWithLogitsLoss()
    adam_optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.98))

    best_val_ndcg, best_val_hr = 0.0, 0.0
    best_test_ndcg, best_test_hr = 0.0, 0.0
    T = 0.0
    t0 = time.time()
    for epoch in range(epoch_start_idx, args.num_epochs + 1):
        if args.inference_only:
            break
        ep_loss = 0
        for step in range(num_batch):
            u, seq, pos, neg = sampler.next_batch()
            u, seq, pos, neg = np.array(u), np.array(seq), np.array(pos), np.array(neg)
            pos_logits, neg_logits = model(u, seq, pos, neg)
            pos_labels, neg_labels = torch.ones(pos_logits.shape, device=args.device), \
                torch.zeros(neg_logits.shape, device=args.device)
            adam_optimizer.zero_grad()
            indices = np.where(pos != 0)
            loss = bce_criterion(pos_logits[indices], pos_labels[indices])
            loss += bce_criterion(neg_logits[indices], neg_labels[indices])
            for param in model.item_emb.parameters():
                loss += args.l2_emb * torch.norm(param)
            loss.backward()
            adam_optimizer.step()
            ep_loss += loss.item()
            if step % 5 == 0:
                print("loss in epoch {} iteration {}: {}".format(epoch, step, loss.item()))
        print('epoch %d mean loss %.4f' % (epoch, ep_loss / num_batch))

        if epoch % args.eval_every == 0:
            model.eval()
            t1 = time.time() - t0
            T += t1
            print('Evaluating', end='')
            t_test = evaluate(model, dataset, args)
            t_valid = evaluate_valid(model, dataset, args)
            print('epoch:%d, time: %f(s), valid (NDCG@10: %.4f, HR@10: %.4f), test (NDCG@10: %.4f, HR@10: %.4f, MRR: %.4f)'
                  % (epoch, T, t_valid[0], t_valid[1], t_test[0], t_test[1], t_test[2]))

            if t_valid[0] > best_val_ndcg or t_valid[1] > best_val_hr:
                best_val_ndcg = max(t_valid[0], best_val_ndcg)
                best_val_hr = max(t_valid[1], best_val_hr)
                best_test_ndcg = max(t_test[0], best_test_ndcg)
                best_test_hr = max(t_test[1], best_test_hr)
                fname = 'SASRec.epoch={}.lr={}.layer={}.head={}.hidden={}.maxlen={}.pth'
                fname = fname.format(epoch, args.lr, args.num_blocks, args.num_heads, args.hidden_units, args.maxlen)
                torch.save(model.state_dict(), os.path.join(args.train_dir, fname))

            f.write(str(epoch) + ' ' + str(t_valid) + ' ' + str(t_test) + '\n')
            f.flush()
            t0 = time.time()
            model.train()

    f.close()
    sampler.close()
    print("best valid NDCG %.4f HR %.4f, test NDCG %.4f HR %.4f" % (
        best_val_ndcg, best_val_hr, best_test_ndcg, best_test_hr))
    print("Done")
