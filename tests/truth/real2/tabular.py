"""torch_frame and pytorch_widedeep: tables learned by deep models."""
import numpy as np
import pandas
import torch
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rng = np.random.default_rng(0)
np.Inf = np.inf  # pytorch_widedeep 1.7 asks for the old name


def _frame(task="multiclass_classification", types=("numerical", "categorical"), **options):
    import torch_frame
    from torch_frame.datasets import FakeDataset
    data = FakeDataset(num_rows=160, with_nan=True, stypes=[getattr(torch_frame, name) for name in types], create_split=True, task_type=torch_frame.TaskType(task), **options)
    data.materialize()
    return data


def _learn(make, data, classes=None, epochs=2):
    import torch_frame
    from torch_frame.data import DataLoader
    train, val, test = data.split()
    loaders = [DataLoader(part.tensor_frame, batch_size=32, shuffle=i == 0) for i, part in enumerate((train, val, test))]
    regression = data.task_type == torch_frame.TaskType.REGRESSION
    out = 1 if regression or data.task_type == torch_frame.TaskType.BINARY_CLASSIFICATION else data.num_classes
    model = make(data, out).to(device)
    model.reset_parameters()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.train()
        loss_sum = count = 0
        for tf in loaders[0]:
            tf = tf.to(device)
            pred = model(tf)
            loss = F.mse_loss(pred.view(-1), tf.y.view(-1)) if regression else F.binary_cross_entropy_with_logits(pred.view(-1), tf.y.float()) if out == 1 else F.cross_entropy(pred, tf.y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss_sum += float(loss) * len(tf.y)
            count += len(tf.y)
        model.eval()
        for loader in loaders[1:]:
            right = total = 0
            with torch.no_grad():
                for tf in loader:
                    tf = tf.to(device)
                    pred = model(tf)
                    right += float((pred.argmax(dim=-1) == tf.y).sum()) if out > 1 else float((pred.view(-1) - tf.y).abs().sum())
                    total += len(tf.y)
            print(epoch, loss_sum / count, right / total)
    return model


def _common(data):
    return dict(col_stats=data.col_stats, col_names_dict=data.tensor_frame.col_names_dict)


def frame_transformer():
    from torch_frame.nn.models import FTTransformer
    for task in ("multiclass_classification", "binary_classification", "regression"):
        _learn(lambda data, out: FTTransformer(channels=16, out_channels=out, num_layers=2, **_common(data)), _frame(task))


def frame_resnet():
    import torch_frame
    from torch_frame.nn import EmbeddingEncoder, LinearBucketEncoder, LinearEncoder, LinearPeriodicEncoder, MLP, ResNet
    data = _frame()
    for numerical in (LinearEncoder, LinearBucketEncoder, lambda: LinearPeriodicEncoder(n_bins=8)):
        try:
            _learn(lambda d, out: ResNet(channels=16, out_channels=out, num_layers=2, stype_encoder_dict={torch_frame.categorical: EmbeddingEncoder(), torch_frame.numerical: numerical()}, **_common(d)), data)
        except Exception as error:
            print(type(error).__name__, error)
    _learn(lambda d, out: MLP(channels=16, out_channels=out, num_layers=2, **_common(d)), data)


def frame_tabnet():
    from torch_frame.nn.models import TabNet
    _learn(lambda data, out: TabNet(out_channels=out, num_layers=2, split_attn_channels=8, split_feat_channels=8, gamma=1.2, **_common(data)), _frame())


def frame_tab_transformer():
    from torch_frame.nn.models import TabTransformer
    _learn(lambda data, out: TabTransformer(channels=16, out_channels=out, num_layers=2, num_heads=2, encoder_pad_size=2, attn_dropout=0.1, ffn_dropout=0.1, **_common(data)), _frame())


def frame_excel():
    from torch_frame.data import DataLoader
    from torch_frame.nn.models import ExcelFormer
    from torch_frame.transforms import CatToNumTransform, MutualInformationSort
    data = _frame()
    train = data.split()[0]
    frame, stats = train.tensor_frame, data.col_stats
    for transform in (CatToNumTransform(), MutualInformationSort(task_type=data.task_type)):
        transform.fit(frame, stats)
        frame = transform(frame)
        stats = transform.transformed_stats
    model = ExcelFormer(in_channels=16, out_channels=data.num_classes, num_cols=frame.num_cols, num_layers=2, num_heads=2, mixup="feature", col_stats=stats, col_names_dict=frame.col_names_dict).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(2):
        for tf in DataLoader(frame, batch_size=32, shuffle=True):
            tf = tf.to(device)
            pred, mixed = model(tf, mixup_encoded=True)
            loss = F.cross_entropy(pred, mixed)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


def frame_trompt():
    from torch_frame.data import DataLoader
    from torch_frame.nn.models import Trompt
    data = _frame()
    model = Trompt(channels=16, out_channels=data.num_classes, num_prompts=8, num_layers=2, **_common(data)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(2):
        for tf in DataLoader(data.tensor_frame, batch_size=32, shuffle=True):
            tf = tf.to(device)
            out = model(tf)
            batch, layers, classes = out.size()
            loss = F.cross_entropy(out.view(-1, classes), tf.y.repeat_interleave(layers))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


def frame_kinds():
    import torch_frame
    from torch_frame.nn import EmbeddingEncoder, FTTransformer, LinearEmbeddingEncoder, LinearEncoder, MultiCategoricalEmbeddingEncoder, TimestampEncoder
    data = _frame(types=("numerical", "categorical", "multicategorical", "timestamp", "embedding"))
    encoders = {torch_frame.numerical: LinearEncoder(), torch_frame.categorical: EmbeddingEncoder(), torch_frame.multicategorical: MultiCategoricalEmbeddingEncoder(), torch_frame.timestamp: TimestampEncoder(), torch_frame.embedding: LinearEmbeddingEncoder()}
    _learn(lambda d, out: FTTransformer(channels=16, out_channels=out, num_layers=1, stype_encoder_dict=encoders, **_common(d)), data)


def frame_tensors():
    import torch_frame
    data = _frame(types=("numerical", "categorical", "multicategorical", "embedding"))
    frame = data.tensor_frame.to(device)
    for _ in range(3):
        part = frame[torch.randperm(frame.num_rows, device=device)[:20]]
        torch_frame.cat([part, frame[:10]], dim=0)
        frame[torch.rand(frame.num_rows, device=device) > 0.5]
        part.cpu()
        assert frame == frame


def _table(n=192):
    frame = pandas.DataFrame({"a": rng.choice(list("xyz"), n), "b": rng.choice(list("uvwt"), n), "c": rng.random(n), "d": rng.random(n)})
    return frame, rng.integers(0, 2, n), rng.random(n).astype(np.float32), rng.integers(0, 3, n)


def _prepared(**options):
    from pytorch_widedeep.preprocessing import TabPreprocessor, WidePreprocessor
    frame, *targets = _table()
    wide, tab = WidePreprocessor(wide_cols=["a", "b"], crossed_cols=[("a", "b")]), TabPreprocessor(cat_embed_cols=["a", "b"], continuous_cols=["c", "d"], **options)
    return wide, wide.fit_transform(frame), tab, tab.fit_transform(frame), targets


def _inputs(tab):
    return dict(column_idx=tab.column_idx, cat_embed_input=tab.cat_embed_input, continuous_cols=tab.continuous_cols)


def wide_binary():
    from pytorch_widedeep import Trainer
    from pytorch_widedeep.callbacks import EarlyStopping, LRHistory, ModelCheckpoint
    from pytorch_widedeep.initializers import KaimingNormal, XavierNormal
    from pytorch_widedeep.metrics import Accuracy, F1Score, Precision, Recall
    from pytorch_widedeep.models import TabMlp, Wide, WideDeep
    wide, X_wide, tab, X_tab, (y, _, _) = _prepared()
    model = WideDeep(wide=Wide(input_dim=np.unique(X_wide).shape[0], pred_dim=1), deeptabular=TabMlp(mlp_hidden_dims=[16, 8], **_inputs(tab)))
    optimizers = {"wide": torch.optim.Adam(model.wide.parameters(), lr=0.01), "deeptabular": torch.optim.AdamW(model.deeptabular.parameters(), lr=0.01)}
    schedulers = {"wide": torch.optim.lr_scheduler.StepLR(optimizers["wide"], step_size=2), "deeptabular": torch.optim.lr_scheduler.CyclicLR(optimizers["deeptabular"], base_lr=0.001, max_lr=0.01, step_size_up=4, cycle_momentum=False)}
    trainer = Trainer(model, objective="binary", optimizers=optimizers, lr_schedulers=schedulers, initializers={"wide": KaimingNormal, "deeptabular": XavierNormal}, metrics=[Accuracy, Precision, Recall, F1Score], callbacks=[LRHistory(n_epochs=3), EarlyStopping(patience=3), ModelCheckpoint(filepath="wd/model")], device=str(device), num_workers=0)
    trainer.fit(X_wide=X_wide, X_tab=X_tab, target=y, n_epochs=3, batch_size=32, val_split=0.2)
    for _ in range(2):
        trainer.predict(X_wide=X_wide, X_tab=X_tab)
        trainer.predict_proba(X_wide=X_wide, X_tab=X_tab, batch_size=32)
    trainer.save(path="wd", save_state_dict=True)


def _deep(make, objective="binary", tab_options=None, **options):
    from pytorch_widedeep import Trainer
    from pytorch_widedeep.models import WideDeep
    wide, X_wide, tab, X_tab, (y, value, kinds) = _prepared(**(tab_options or {}))
    target, pred_dim = {"binary": (y, 1), "binary_focal_loss": (y, 1), "multiclass": (kinds, 3), "multiclass_focal_loss": (kinds, 3), "quantile": (value, 7)}.get(objective, (value, 1))
    trainer = Trainer(WideDeep(deeptabular=make(_inputs(tab)), pred_dim=pred_dim), objective=objective, verbose=1, device=str(device), num_workers=0, **options)
    trainer.fit(X_tab=X_tab, target=target, n_epochs=2, batch_size=32, val_split=0.2)
    trainer.predict(X_tab=X_tab)
    return trainer, X_tab


def wide_models():
    from pytorch_widedeep import models as m
    for make in (lambda i: m.TabResnet(blocks_dims=[16, 8], **i), lambda i: m.TabNet(n_steps=2, step_dim=8, attn_dim=8, **i), lambda i: m.ContextAttentionMLP(input_dim=8, n_blocks=1, **i), lambda i: m.SelfAttentionMLP(input_dim=8, n_heads=2, n_blocks=1, **i)):
        try:
            _deep(make)
        except Exception as error:
            print(type(error).__name__, error)


def wide_transformers():
    from pytorch_widedeep import models as m
    for make in (lambda i: m.TabTransformer(input_dim=8, n_heads=2, n_blocks=1, embed_continuous_method="standard", **i), lambda i: m.SAINT(input_dim=8, n_heads=2, n_blocks=1, **i), lambda i: m.FTTransformer(input_dim=8, n_heads=2, n_blocks=1, **i), lambda i: m.TabFastFormer(input_dim=8, n_heads=2, n_blocks=1, **i), lambda i: m.TabPerceiver(input_dim=8, n_cross_attn_heads=2, n_latents=4, latent_dim=8, n_latent_heads=2, n_latent_blocks=1, n_perceiver_blocks=1, **i)):
        try:
            _deep(make, tab_options={"for_transformer": True})
        except Exception as error:
            print(type(error).__name__, error)


def wide_objectives():
    from pytorch_widedeep.models import TabMlp
    for objective in ("regression", "multiclass", "multiclass_focal_loss", "binary_focal_loss", "rmse", "msle", "huber", "quantile", "tweedie", "focalr_mse", "mae"):
        try:
            _deep(lambda i: TabMlp(mlp_hidden_dims=[16, 8], **i), objective)
        except Exception as error:
            print(objective, type(error).__name__, error)


def wide_metrics():
    import torchmetrics
    from pytorch_widedeep.metrics import R2Score
    from pytorch_widedeep.models import TabMlp
    _deep(lambda i: TabMlp(mlp_hidden_dims=[16, 8], **i), "binary", metrics=[torchmetrics.Accuracy(task="binary"), torchmetrics.F1Score(task="binary")])
    _deep(lambda i: TabMlp(mlp_hidden_dims=[16, 8], **i), "regression", metrics=[R2Score])


def wide_finetune():
    from pytorch_widedeep import Tab2Vec, Trainer
    from pytorch_widedeep.models import TabMlp, WideDeep
    wide, X_wide, tab, X_tab, (y, _, _) = _prepared()
    model = WideDeep(deeptabular=TabMlp(mlp_hidden_dims=[16, 8], **_inputs(tab)))
    trainer = Trainer(model, objective="binary", device=str(device), num_workers=0)
    trainer.fit(X_tab=X_tab, target=y, n_epochs=2, batch_size=32, finetune=True, finetune_epochs=2, finetune_max_lr=0.01)
    vectors = Tab2Vec(model=model, tab_preprocessor=tab, device=str(device))
    for _ in range(2):
        vectors.transform(_table(40)[0])


def wide_importance():
    from pytorch_widedeep.models import TabNet
    trainer, X_tab = _deep(lambda i: TabNet(n_steps=2, step_dim=8, attn_dim=8, **i))
    for _ in range(2):
        trainer.explain(X_tab[:40], save_step_masks=True)


def wide_self_supervised():
    from pytorch_widedeep.models import SAINT, TabMlp
    from pytorch_widedeep.self_supervised_training import ContrastiveDenoisingTrainer, EncoderDecoderTrainer
    wide, X_wide, tab, X_tab, _ = _prepared()
    trainer = EncoderDecoderTrainer(encoder=TabMlp(mlp_hidden_dims=[16, 8], **_inputs(tab)), masked_prob=0.2, device=str(device), num_workers=0)
    trainer.pretrain(X_tab, n_epochs=2, batch_size=32)
    wide, X_wide, tab, X_tab, _ = _prepared(for_transformer=True)
    trainer = ContrastiveDenoisingTrainer(model=SAINT(input_dim=8, n_heads=2, n_blocks=1, **_inputs(tab)), preprocessor=tab, device=str(device), num_workers=0)
    trainer.pretrain(X_tab, n_epochs=2, batch_size=32)


def wide_bayesian():
    from pytorch_widedeep import BayesianTrainer
    from pytorch_widedeep.bayesian_models import BayesianTabMlp
    from pytorch_widedeep.metrics import Accuracy
    wide, X_wide, tab, X_tab, (y, _, _) = _prepared()
    trainer = BayesianTrainer(BayesianTabMlp(mlp_hidden_dims=[16, 8], **_inputs(tab)), objective="binary", metrics=[Accuracy], device=str(device), num_workers=0)
    trainer.fit(X_tab=X_tab, target=y, n_epochs=2, batch_size=32, val_split=0.2)
    trainer.predict(X_tab=X_tab)


def wide_pictures():
    from pytorch_widedeep import Trainer
    from pytorch_widedeep.models import BasicRNN, TabMlp, Vision, WideDeep
    wide, X_wide, tab, X_tab, (y, _, _) = _prepared()
    model = WideDeep(deeptabular=TabMlp(mlp_hidden_dims=[16, 8], **_inputs(tab)), deeptext=BasicRNN(vocab_size=30, embed_dim=8, hidden_dim=8, n_layers=1, padding_idx=0), deepimage=Vision(channel_sizes=[8, 16, 16, 16]), head_hidden_dims=[8])
    trainer = Trainer(model, objective="binary", device=str(device), num_workers=0)
    trainer.fit(X_tab=X_tab, X_text=rng.integers(0, 30, (192, 8)), X_img=rng.random((192, 32, 32, 3)).astype(np.float32), target=y, n_epochs=2, batch_size=32)
