import json
import logging
import os
import random
import tempfile

import numpy as np
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader
from tqdm.auto import tqdm
from transformers import get_cosine_schedule_with_warmup

from src.retriever.arguments import parse
from src.retriever.data import CLS, SEP, Collection, TrainCollator, TrainDataset, tokenize
from src.retriever.index import FlatIPIndex, encode_corpus, evaluate_ranking, mine_hard_negatives
from src.retriever.modeling import CrossEncoder, DenseModel

logger = logging.getLogger(__name__)


def retrieve(accelerator, model, collection, qids, dargs, depth):
    net = accelerator.unwrap_model(model)
    p = encode_corpus(net, collection.passages, dargs.p_max_len, accelerator.device)
    q = encode_corpus(net, [collection.queries[i] for i in qids], dargs.q_max_len, accelerator.device)
    index = FlatIPIndex(p.shape[1], accelerator.device)
    index.add(p)
    return index.search(q, depth)


def train_dense_round(accelerator, model, collection, train_ids, negatives, dargs, targs, rnd):
    dataset = TrainDataset(collection, train_ids, dargs, negatives)
    loader = DataLoader(dataset, batch_size=targs.batch_size, shuffle=True, collate_fn=TrainCollator(dargs),
                        drop_last=True, num_workers=2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=targs.learning_rate, weight_decay=targs.weight_decay)
    total = targs.epochs_per_round * len(loader) // targs.gradient_accumulation_steps
    scheduler = get_cosine_schedule_with_warmup(optimizer, targs.warmup_steps, total)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    bar = tqdm(range(total), disable=not accelerator.is_local_main_process, desc=f"round {rnd}")
    model.train()
    for epoch in range(targs.epochs_per_round):
        losses = []
        for query, passage, pids in loader:
            with accelerator.accumulate(model):
                out = model(query, passage, pids)
                accelerator.backward(out.loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), targs.max_grad_norm)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            losses.append(accelerator.gather(out.loss.detach().reshape(1)).mean().item())
            if accelerator.sync_gradients:
                bar.update(1)
                bar.set_postfix(loss=losses[-1], lr=scheduler.get_last_lr()[0])
        scale = accelerator.unwrap_model(model).logit_scale.exp().item()
        logger.info("round %d epoch %d loss %.4f scale %.2f", rnd, epoch, np.mean(losses), scale)
    bar.close()
    return model


def pair_batch(collection, qid, pids, max_len):
    return tokenize([collection.queries[qid] + [SEP] + collection.passages[p] for p in pids], max_len)


def train_reranker(accelerator, reranker, collection, train_ids, negatives, dargs, targs, steps=40, group=6):
    """listwise softmax over one positive and mined negatives, a few queries a step"""
    optimizer = torch.optim.AdamW(reranker.parameters(), lr=targs.learning_rate)
    reranker, optimizer = accelerator.prepare(reranker, optimizer)
    reranker.train()
    ema = None
    for step in range(steps):
        rows = []
        qids = [q for q in random.sample(train_ids, 16)]
        for qid in qids:
            pool = negatives[qid]
            pids = [collection.qrels[qid]] + random.sample(pool, group - 1)
            rows += [collection.queries[qid] + [SEP] + collection.passages[p] for p in pids]
        batch = {k: v.to(accelerator.device) for k, v in tokenize(rows, dargs.q_max_len + dargs.p_max_len).items()}
        scores = reranker(batch).float().view(len(qids), group)
        loss = F.cross_entropy(scores, torch.zeros(len(qids), dtype=torch.long, device=scores.device))
        optimizer.zero_grad()
        accelerator.backward(loss)
        optimizer.step()
        ema = loss.item() if ema is None else 0.9 * ema + 0.1 * loss.item()
        if (step + 1) % 10 == 0:
            logger.info("reranker step %d loss %.4f", step + 1, ema)
    return reranker


@torch.no_grad()
def rerank(accelerator, reranker, collection, qids, I, dargs, depth):
    reranker.eval()
    out = []
    for qid, row in zip(qids, I):
        cand = [int(p) for p in row[:depth]]
        batch = pair_batch(collection, qid, cand, dargs.q_max_len + dargs.p_max_len)
        scores = reranker({k: v.to(accelerator.device) for k, v in batch.items()})
        order = scores.float().argsort(descending=True).tolist()
        out.append([cand[o] for o in order] + [int(p) for p in row[depth:]])
    return out


def main():
    margs, dargs, targs = parse()
    logging.basicConfig(format="%(asctime)s - %(levelname)s - %(message)s", level=logging.INFO)
    accelerator = Accelerator(gradient_accumulation_steps=targs.gradient_accumulation_steps,
                              mixed_precision=targs.mixed_precision)
    set_seed(targs.seed)
    out_dir = targs.output_dir or tempfile.mkdtemp(prefix="dense_")
    os.makedirs(out_dir, exist_ok=True)

    collection = Collection(dargs)
    ids = list(range(dargs.n_queries))
    test_ids, train_ids = ids[: dargs.n_test], ids[dargs.n_test:]
    model = DenseModel(collection.vocab_size, margs)
    logger.info("vocab %d, %.2fM parameters", collection.vocab_size, sum(p.numel() for p in model.parameters()) / 1e6)

    negatives, results = None, {}
    model = model.to(accelerator.device)
    for rnd in range(targs.rounds):
        model = train_dense_round(accelerator, accelerator.unwrap_model(model), collection, train_ids, negatives,
                                  dargs, targs, rnd)
        _, I = retrieve(accelerator, model, collection, test_ids, dargs, 50)
        results[f"round{rnd}"] = evaluate_ranking(I, test_ids, collection.qrels)
        logger.info("round %d %s", rnd, json.dumps(results[f"round{rnd}"]))

        _, I_train = retrieve(accelerator, model, collection, train_ids, dargs, targs.mine_depth)
        negatives = mine_hard_negatives(I_train, train_ids, collection.qrels, targs.mine_skip, targs.mine_depth)
        accelerator.wait_for_everyone()
        if accelerator.is_main_process:
            accelerator.save(accelerator.unwrap_model(model).state_dict(), os.path.join(out_dir, f"dense_{rnd}.pt"))

    reranker = CrossEncoder(collection.vocab_size, margs)
    # warm start from the retriever
    reranker.encoder.load_state_dict(accelerator.unwrap_model(model).encoder.state_dict())
    reranker = train_reranker(accelerator, reranker, collection, train_ids, negatives, dargs, targs)
    reranked = rerank(accelerator, reranker, collection, test_ids, I, dargs, targs.rerank_depth)
    results["reranked"] = evaluate_ranking(reranked, test_ids, collection.qrels)
    logger.info("reranked %s", json.dumps(results["reranked"]))
    if accelerator.is_main_process:
        with open(os.path.join(out_dir, "results.json"), "w") as f:
            json.dump(results, f, indent=2)
    accelerator.end_training()


if __name__ == "__main__":
    main()
