"""Tables of results with pandas: .item(), .values, .any() and .all() of the host."""
import glob
import os

import pandas as pd
import torch


def read_runs(folder):
    frames = []
    for path in sorted(glob.glob(os.path.join(folder, "*/log.csv"))):
        frame = pd.read_csv(path)
        frame["run"] = os.path.basename(os.path.dirname(path))
        if frame["loss"].isna().any():
            print("nan in", path, frame["loss"].isna().sum().item())
            frame = frame.dropna()
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def best_rows(table):
    rows = []
    for run, group in table.groupby("run"):
        best = group.loc[group["val_loss"].idxmin()]
        first = group["val_loss"].iloc[0].item()
        rows.append({"run": run, "step": int(best["step"]), "val": float(best["val_loss"]), "start": first})
    return pd.DataFrame(rows).sort_values("val")


def smooth(table, columns, window=20):
    for column in columns:
        values = table[column].to_numpy()
        table[f"{column}_smooth"] = pd.Series(values).rolling(window, min_periods=1).mean().values
    return table


def compare(table, base):
    reference = table[table["run"] == base]["val"]
    if reference.empty:
        raise SystemExit(f"no run {base}")
    reference = reference.item()
    for row in table.itertuples():
        delta = row.val - reference
        flag = "*" if abs(delta) > 0.01 else " "
        print(f"{flag} {row.run:<30} {row.val:.4f} {delta:+.4f} at {row.step}")
    return table["val"].tolist()


def as_tensors(table, columns):
    features = torch.from_numpy(table[columns].to_numpy(dtype="float32"))
    mean, std = features.mean(0), features.std(0)
    for name, m, s in zip(columns, mean.tolist(), std.tolist()):
        print(name, round(m, 3), round(s, 3))
    if (std == 0).any():
        features = features[:, std > 0]
    return (features - mean) / std


if __name__ == "__main__":
    runs = read_runs("runs")
    compare(best_rows(runs), "baseline")
    as_tensors(smooth(runs, ["loss", "val_loss"]).dropna(), ["loss", "lr"])
