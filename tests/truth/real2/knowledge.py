"""torchkge and pykeen: knowledge graphs embedded, ranked and asked."""
import numpy as np
import pandas
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
use_cuda = "all" if torch.cuda.is_available() else None
rng = np.random.default_rng(0)
triples = np.unique(np.stack([rng.integers(0, 30, 400), rng.integers(0, 4, 400), rng.integers(0, 30, 400)], 1), axis=0)


def _graph():
    from torchkge.data_structures import KnowledgeGraph
    frame = pandas.DataFrame({"from": [f"e{h}" for h, r, t in triples], "to": [f"e{t}" for h, r, t in triples], "rel": [f"r{r}" for h, r, t in triples]})
    return KnowledgeGraph(df=frame).split_kg(share=0.8, validation=True)


def _fit(make, criterion=None, epochs=2, sampler=None):
    from torchkge.sampling import BernoulliNegativeSampler
    from torchkge.utils import DataLoader, MarginLoss
    train, _, test = _graph()
    model = make(train.n_ent, train.n_rel).to(device)
    criterion = (criterion or MarginLoss(0.5)).to(device)
    optimizer, sampler = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5), (sampler or BernoulliNegativeSampler)(train)
    for epoch in range(epochs):
        running = 0.0
        loader = DataLoader(train, batch_size=64, use_cuda=use_cuda)
        for i, (h, t, r) in enumerate(loader):
            n_h, n_t = sampler.corrupt_batch(h, t, r)
            optimizer.zero_grad()
            pos, neg = model(h, t, r, n_h, n_t)
            loss = criterion(pos, neg)
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(epoch + 1, running / len(loader))
        model.normalize_parameters()
    return model, train, test


def kge_translations():
    from torchkge import models as m
    for make in (lambda e, r: m.TransEModel(16, e, r, dissimilarity_type="L2"), lambda e, r: m.TransHModel(16, e, r), lambda e, r: m.TransRModel(16, 8, e, r), lambda e, r: m.TransDModel(16, 8, e, r), lambda e, r: m.TorusEModel(16, e, r, dissimilarity_type="torus_L2")):
        try:
            _fit(make)
        except Exception as error:
            print(type(error).__name__, error)


def kge_bilinear():
    from torchkge import models as m
    from torchkge.utils import BinaryCrossEntropyLoss, LogisticLoss
    for make, criterion in ((lambda e, r: m.RESCALModel(16, e, r), None), (lambda e, r: m.DistMultModel(16, e, r), LogisticLoss()), (lambda e, r: m.HolEModel(16, e, r), None), (lambda e, r: m.ComplExModel(16, e, r), BinaryCrossEntropyLoss()), (lambda e, r: m.AnalogyModel(16, e, r), LogisticLoss()), (lambda e, r: m.ConvKBModel(16, 4, e, r), None)):
        try:
            _fit(make, criterion)
        except Exception as error:
            print(type(error).__name__, error)


def kge_samplers():
    from torchkge import models as m
    from torchkge import sampling as s
    for sampler in (s.UniformNegativeSampler, s.BernoulliNegativeSampler, s.PositionalNegativeSampler):
        _fit(lambda e, r: m.TransEModel(16, e, r), sampler=sampler)


def kge_trainer():
    from torchkge.models import TransEModel
    from torchkge.utils import MarginLoss, Trainer
    train, _, _ = _graph()
    for kind in ("all", "batch"):
        model = TransEModel(16, train.n_ent, train.n_rel)
        Trainer(model, MarginLoss(0.5), train, 3, 64, optimizer=torch.optim.Adam(model.parameters(), lr=1e-3), sampling_type="bern", use_cuda=kind if torch.cuda.is_available() else None).run()


def kge_ranks():
    from torchkge import models as m
    from torchkge.evaluation import LinkPredictionEvaluator
    for make in (lambda e, r: m.TransEModel(16, e, r), lambda e, r: m.DistMultModel(16, e, r), lambda e, r: m.TransHModel(16, e, r)):
        model, train, test = _fit(make)
        evaluator = LinkPredictionEvaluator(model, test)
        for _ in range(2):
            evaluator.evaluate(b_size=16, verbose=True)
            evaluator.print_results(k=[1, 10])
            print(evaluator.mean_rank(), evaluator.hit_at_k(10), evaluator.mrr())


def kge_relations():
    from torchkge.evaluation import RelationPredictionEvaluator
    from torchkge.models import TransEModel
    model, train, test = _fit(lambda e, r: TransEModel(16, e, r))
    for _ in range(2):
        evaluator = RelationPredictionEvaluator(model, test)
        evaluator.evaluate(b_size=16)
        evaluator.print_results()


def kge_triplets():
    from torchkge.evaluation import TripletClassificationEvaluator
    from torchkge.models import TransEModel
    model, train, test = _fit(lambda e, r: TransEModel(16, e, r))
    for _ in range(2):
        evaluator = TripletClassificationEvaluator(model, _graph()[1], test)
        evaluator.evaluate(b_size=16)
        print(evaluator.accuracy(b_size=16))


def kge_inference():
    from torchkge.inference import EntityInference
    from torchkge.models import TransEModel
    model, train, test = _fit(lambda e, r: TransEModel(16, e, r))
    for missing in ("tails", "heads"):
        inference = EntityInference(model, test.head_idx[:20], test.relations[:20], top_k=3, missing=missing)
        inference.evaluate(b_size=5)


def _factories():
    from pykeen.triples import TriplesFactory
    named = np.array([[f"e{h}", f"r{r}", f"e{t}"] for h, r, t in triples])
    return TriplesFactory.from_labeled_triples(named).split([0.8, 0.1, 0.1], random_state=0)


def _pipeline(model, **options):
    from pykeen.pipeline import pipeline
    training, testing, validation = _factories()
    options.setdefault("model_kwargs", {"embedding_dim": 16})
    options.setdefault("training_kwargs", {"batch_size": 64, "num_epochs": 2})
    result = pipeline(training=training, testing=testing, validation=validation, model=model, device=str(device), random_seed=0, evaluation_kwargs=options.pop("evaluation_kwargs", {"batch_size": 16}), **options)
    print(model, result.get_metric("mrr"))
    return result, training


def keen_models():
    for model in ("TransE", "DistMult", "ComplEx", "RotatE", "TransH", "PairRE", "MuRE", "SimplE"):
        try:
            _pipeline(model)
        except Exception as error:
            print(model, type(error).__name__, str(error)[:200])


def keen_lcwa():
    for model, loss in (("TransE", "marginranking"), ("DistMult", "crossentropy"), ("ComplEx", "bcewithlogits"), ("TuckER", "bcewithlogits")):
        try:
            _pipeline(model, training_loop="lcwa", loss=loss, training_kwargs={"batch_size": 16, "num_epochs": 2, "label_smoothing": 0.1 if loss != "marginranking" else 0.0})
        except Exception as error:
            print(model, type(error).__name__, str(error)[:200])


def keen_losses():
    for loss in ("nssa", "softplus", "pairwiselogistic", "infonce", "doublemargin", "focal", "softmarginranking", "mse"):
        try:
            _pipeline("TransE", loss=loss)
        except Exception as error:
            print(loss, type(error).__name__, str(error)[:200])


def keen_samplers():
    for sampler in ("basic", "bernoulli", "pseudotyped"):
        for filtered in (False, True):
            try:
                _pipeline("TransE", negative_sampler=sampler, negative_sampler_kwargs={"num_negs_per_pos": 4, "filtered": filtered})
            except Exception as error:
                print(sampler, type(error).__name__, str(error)[:200])


def keen_stopping():
    _pipeline("TransE", stopper="early", stopper_kwargs={"frequency": 1, "patience": 2, "relative_delta": 0.002}, training_kwargs={"batch_size": 64, "num_epochs": 4}, lr_scheduler="ExponentialLR", lr_scheduler_kwargs={"gamma": 0.99}, regularizer="LP", regularizer_kwargs={"weight": 0.01})


def keen_graph():
    for model, options in (("RGCN", {"embedding_dim": 16, "num_layers": 2}), ("CompGCN", {"embedding_dim": 16}), ("NodePiece", {"embedding_dim": 16, "num_tokens": 3})):
        try:
            from pykeen.pipeline import pipeline
            training, testing, validation = _factories()
            if model != "RGCN":
                from pykeen.triples import TriplesFactory
                named = np.array([[f"e{h}", f"r{r}", f"e{t}"] for h, r, t in triples])
                training, testing = TriplesFactory.from_labeled_triples(named, create_inverse_triples=True).split([0.8, 0.2], random_state=0)
            pipeline(training=training, testing=testing, model=model, model_kwargs=options, training_kwargs={"batch_size": 64, "num_epochs": 2}, device=str(device), random_seed=0, evaluation_kwargs={"batch_size": 16})
        except Exception as error:
            print(model, type(error).__name__, str(error)[:200])


def keen_convolutions():
    for model, options in (("ConvKB", {"embedding_dim": 16, "num_filters": 4}), ("ConvE", {"embedding_dim": 16, "input_channels": 1, "output_channels": 4, "embedding_height": 4, "embedding_width": 4}), ("NTN", {"embedding_dim": 8}), ("KG2E", {"embedding_dim": 8}), ("QuatE", {"embedding_dim": 8})):
        try:
            _pipeline(model, model_kwargs=options)
        except Exception as error:
            print(model, type(error).__name__, str(error)[:200])


def keen_loops():
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.models import TransE
    from pykeen.training import SLCWATrainingLoop
    training, testing, validation = _factories()
    model = TransE(triples_factory=training, embedding_dim=16, random_seed=0).to(device)
    loop = SLCWATrainingLoop(model=model, triples_factory=training, optimizer=torch.optim.Adam(model.get_grad_params()))
    print(loop.train(triples_factory=training, num_epochs=3, batch_size=64, sub_batch_size=32, gradient_clipping_max_norm=1.0, checkpoint_name="loop.pt", checkpoint_directory=".", checkpoint_frequency=0))
    for mode in (dict(batch_size=16), dict(batch_size=16, slice_size=8)):
        results = RankBasedEvaluator(filtered=True).evaluate(model=model, mapped_triples=testing.mapped_triples, additional_filter_triples=[training.mapped_triples, validation.mapped_triples], **mode)
        print(results.get_metric("hits@10"))


def keen_evaluators():
    for evaluator in ("rankbased", "sampledrankbased", "classification", "macrorankbased"):
        try:
            _pipeline("TransE", evaluator=evaluator, evaluator_kwargs={"num_negatives": 10} if evaluator == "sampledrankbased" else None)
        except Exception as error:
            print(evaluator, type(error).__name__, str(error)[:200])


def keen_callbacks():
    from pykeen.evaluation import RankBasedEvaluator
    _, testing, validation = _factories()
    _pipeline("TransE", training_kwargs={"batch_size": 64, "num_epochs": 3, "callbacks": ["evaluation-loss", "gradient-norm-clipping"][1:], "callbacks_kwargs": [{"max_norm": 1.0}]})
    _pipeline("DistMult", training_kwargs={"batch_size": 64, "num_epochs": 3, "callbacks": "evaluation", "callbacks_kwargs": {"evaluation_triples": validation.mapped_triples, "evaluator": RankBasedEvaluator(), "prefix": "validation", "frequency": 1}})


def keen_predictions():
    from pykeen.predict import predict_all, predict_target, predict_triples
    result, training = _pipeline("TransE")
    for tail in ("e1", "e2", "e3"):
        print(predict_target(model=result.model, head="e0", relation="r1", triples_factory=training).df.head(2))
        predict_target(model=result.model, relation="r1", tail=tail, triples_factory=training)
    predict_all(model=result.model, k=10, batch_size=16)
    for _ in range(2):
        predict_triples(model=result.model, triples=[("e0", "r1", "e2"), ("e1", "r0", "e3")], triples_factory=training)
    result.save_to_directory("pykeen")
