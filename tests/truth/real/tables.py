"""pytorch_tabnet on a table, lightly's self-supervised losses and heads, pytorch_lightning's loop."""
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def tabnet():
    from pytorch_tabnet.pretraining import TabNetPretrainer
    from pytorch_tabnet.tab_model import TabNetClassifier, TabNetRegressor
    x, y = np.random.rand(256, 8).astype(np.float32), np.random.randint(0, 3, 256)
    pretrained = TabNetPretrainer(device_name=device.type, verbose=1)
    pretrained.fit(x, eval_set=[x[:64]], max_epochs=2, batch_size=64, virtual_batch_size=32)
    model = TabNetClassifier(device_name=device.type, cat_idxs=[], scheduler_fn=torch.optim.lr_scheduler.StepLR, scheduler_params={"step_size": 2, "gamma": 0.9})
    model.fit(x, y, eval_set=[(x[:64], y[:64])], eval_metric=["accuracy", "balanced_accuracy", "logloss"], max_epochs=3, batch_size=64, virtual_batch_size=32, weights=1, from_unsupervised=pretrained)
    for _ in range(3):
        model.predict(x), model.predict_proba(x), model.explain(x[:32])
    other = TabNetRegressor(device_name=device.type)
    other.fit(x, x[:, :1], eval_set=[(x[:64], x[:64, :1])], eval_metric=["mae", "rmse"], max_epochs=3, batch_size=64, virtual_batch_size=32, augmentations=None)
    for _ in range(3):
        other.predict(x)


def _pairs(criterion, dim=16, steps=4):
    criterion = criterion.to(device)
    net = torch.nn.Sequential(torch.nn.Linear(dim, dim), torch.nn.ReLU(), torch.nn.Linear(dim, dim)).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(steps):
        a, b = net(torch.randn(16, dim, device=device)), net(torch.randn(16, dim, device=device))
        loss = criterion(a, b)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(type(criterion).__name__, loss.item())


def lightly_losses():
    from lightly import loss as L
    for make in (lambda: L.NTXentLoss(), lambda: L.NTXentLoss(memory_bank_size=(32, 16)), lambda: L.BarlowTwinsLoss(), lambda: L.DCLLoss(), lambda: L.DCLWLoss(), lambda: L.NegativeCosineSimilarity(), lambda: L.TiCoLoss(), lambda: L.VICRegLoss()):
        try:
            _pairs(make())
        except Exception as error:
            print(type(error).__name__, error)


def lightly_heads():
    from lightly import loss as L
    from lightly.models import modules as M
    from lightly.models.utils import activate_requires_grad, deactivate_requires_grad, get_weight_decay_parameters, random_token_mask, update_momentum
    from lightly.utils.scheduler import CosineWarmupScheduler, cosine_schedule
    student, teacher = M.DINOProjectionHead(16, 32, 16, 64).to(device), M.DINOProjectionHead(16, 32, 16, 64, freeze_last_layer=0).to(device)
    dino = L.DINOLoss(output_dim=64).to(device)
    koleo, msn = L.KoLeoLoss(), L.MSNLoss()
    ibot = L.IBOTPatchLoss(output_dim=64).to(device) if hasattr(L, "IBOTPatchLoss") else None
    optimizer = torch.optim.AdamW(student.parameters())
    schedule = CosineWarmupScheduler(optimizer, 1, 4)
    prototypes = M.SwaVPrototypes(16, n_prototypes=32).to(device)
    swav = L.SwaVLoss()
    smog = M.SMoGPrototypes(torch.rand(8, 16, device=device), beta=0.99)
    bank = M.NNMemoryBankModule(size=(64, 16)).to(device)
    for epoch in range(4):
        x = torch.randn(8, 16, device=device)
        update_momentum(student, teacher, m=cosine_schedule(epoch, 4, 0.99, 1))
        loss = dino([teacher(x), teacher(x)], [student(x) for _ in range(4)], epoch=epoch) + 0.1 * koleo(x)
        anchors = torch.randn(16, 16, device=device, requires_grad=True)
        loss = loss + msn(anchors, x, torch.randn(32, 16, device=device))
        if ibot is not None:
            loss = loss + ibot(torch.randn(6, 64, device=device), torch.randn(6, 64, device=device), mask=torch.zeros(2, 3, 3, dtype=torch.bool, device=device).index_fill(1, torch.tensor([0], device=device), True))
        loss.backward()
        student.cancel_last_layer_gradients(current_epoch=epoch)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        prototypes.normalize()
        swav([prototypes(x), prototypes(x)], [prototypes(x)]).backward()
        smog.assign_groups(x)
        bank(x, update=True)
        random_token_mask((4, 17), mask_ratio=0.6, device=device)
        deactivate_requires_grad(teacher), activate_requires_grad(teacher), get_weight_decay_parameters([student])
        print(epoch, loss.item())


def lightly_masked():
    from lightly.models import utils as U
    for _ in range(3):
        tokens = torch.randn(2, 17, 8, device=device)
        keep, mask = U.random_token_mask((2, 17), device=device)
        U.get_at_index(tokens, keep), U.set_at_index(tokens.clone(), mask, torch.zeros(2, mask.shape[1], 8, device=device)), U.mask_at_index(tokens, mask, torch.zeros(1, 1, 8, device=device)), U.patchify(torch.rand(2, 3, 16, 16, device=device), 4), U.mask_bool(tokens, torch.rand(2, 17, device=device) > 0.5, torch.zeros(1, 1, 8, device=device))
        U.random_block_mask((2, 14, 14), device=device), U.normalize_mean_var(tokens)


def lightly_benchmarks():
    from lightly.utils.benchmarking import knn_predict
    from lightly.utils.benchmarking.topk import mean_topk_accuracy
    bank, labels = torch.nn.functional.normalize(torch.randn(16, 64, device=device), dim=0), torch.randint(0, 5, (64,), device=device)
    for _ in range(3):
        predicted = knn_predict(torch.randn(8, 16, device=device), bank, labels, 5, knn_k=10)
        print({k: v.item() for k, v in mean_topk_accuracy(predicted, torch.randint(0, 5, (8,), device=device), k=(1, 3)).items()})


def lightning():
    import pytorch_lightning as pl
    import torchmetrics

    class Module(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3))
            self.right = torchmetrics.Accuracy(task="multiclass", num_classes=3)

        def training_step(self, batch, index):
            x, y = batch
            logits = self.net(x)
            loss = torch.nn.functional.cross_entropy(logits, y)
            self.log("loss", loss, prog_bar=True)
            if index % 2 == 0:
                print(f"loss {loss:.3f}")
            return loss

        def validation_step(self, batch, index):
            x, y = batch
            logits = self.net(x)
            self.right(logits, y)
            self.log("right", self.right, on_epoch=True)
            self.log("val", torch.nn.functional.cross_entropy(logits, y), sync_dist=False)

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters())
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 16), torch.randint(0, 3, (64,))), batch_size=8)
    trainer = pl.Trainer(max_epochs=3, accelerator="auto", devices=1, logger=pl.loggers.CSVLogger("logs"), enable_progress_bar=True, log_every_n_steps=1, gradient_clip_val=1.0, callbacks=[pl.callbacks.EarlyStopping("val"), pl.callbacks.ModelCheckpoint("points", monitor="val")])
    trainer.fit(Module(), loader, loader)
    for _ in range(2):
        trainer.validate(Module(), loader, verbose=False)


if __name__ == "__main__":
    for work in (tabnet, lightly_losses, lightly_heads, lightly_masked, lightly_benchmarks, lightning):
        work()
