import os
import random
import tempfile

import numpy as np
import torch

from jointnlp import (CSVLogger, EarlyStopping, JointModel, ModelCheckpoint, ProgressBar, Trainer, build_datasets)
from jointnlp.data import INTENTS, RELATIONS, TAGS, collate


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)


if __name__ == "__main__":
    seed_everything(2021)
    workdir = tempfile.mkdtemp(prefix="jointnlp_")
    train_set, dev_set, vocab = build_datasets()
    model = JointModel(len(vocab), len(TAGS), len(RELATIONS), len(INTENTS))
    trainer = Trainer(model, use_fgm=True, callbacks=[
        ProgressBar(),
        EarlyStopping(patience=2),
        ModelCheckpoint(os.path.join(workdir, "best.bin")),
        CSVLogger(os.path.join(workdir, "history.csv")),
    ])
    trainer.fit(train_set, dev_set, epochs=3, batch_size=32)
    print(trainer.evaluate(dev_set))

    # look at a few predictions
    batch = trainer._to_device(collate([dev_set[i] for i in range(3)]))
    model.eval()
    with torch.no_grad():
        out = model(batch["input_ids"], batch["attention_mask"], batch["pairs"])
        pred = model.predict(out, batch["attention_mask"])
    for i in range(3):
        words = dev_set[i]["words"]
        print(" ".join("%s/%s" % (w, TAGS[t]) if t else w for w, t in zip(words, pred["tags"][i])),
              "->", INTENTS[pred["intent"][i]])
    print([RELATIONS[r] for r in pred["relations"]])
