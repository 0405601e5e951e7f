"""Trains the orientation head on contrasts of the first network's last feature map:
python3 train_orientation.py --features FILE --out DIR

FILE is written by write-features.ts. It has four views of each photograph, turned clockwise by 0 to 3 quarters. The head is
multinomial logistic regression with a ridge, on the leading principal components of both contrasts. Prints how many photographs it
would rotate wrongly, and how many turned ones it would rotate back, by four folds of the photographs' groups. OUT/heads.pt has the
weights for add_heads.py.
"""
import json
from pathlib import Path

import numpy as np
import torch

from train_label import CHANNELS, fit, group_folds, parse_options, read_features

CLASSES = ['0', '90', '180', '270']  # clockwise degrees by which the picture is turned
COMPONENTS = 300  # principal components of each contrast
RIDGE, FOLDS = 3e-3, 4
MIN_FIRST_MARGIN = 1  # of the first look, from which on three more looks are taken, as in choose-rotation.ts
MIN_MARGIN, MIN_MARGINS = 12, (10, 12, 14, 16)  # limit of the four looks' margin, as in choose-rotation.ts, and candidates
MISLABELLED = 25  # a photograph that four looks call turned by this margin is taken for one that was taken sideways


def principal_components(values):
    """Returns the matrix that projects centred rows on their leading components, scaled to unit variance."""
    variances, directions = np.linalg.eigh(values.T @ values / len(values))
    return (directions[:, ::-1][:, :COMPONENTS] / np.sqrt(variances[::-1][:COMPONENTS])).astype(np.float32)


def look_four_times(logs):
    """Returns the summed log probabilities of each turn over all four views, for each view as the given picture."""
    return np.stack([np.stack([
        sum(logs[:, (view + more) % 4, (turn + more) % 4] for more in range(4)) for turn in range(4)], 1) for view in range(4)], 1)


def margins(sums):
    """Returns (margin of the best turn over upright, that turn)."""
    return sums[..., 1:].max(-1) - sums[..., 0], sums[..., 1:].argmax(-1) + 1


def main():
    options = parse_options(__doc__)
    torch.set_num_threads(1)
    all_keys, all_features = read_features(options.features)
    has_upright = [upright == '1' for *_, upright in all_keys]
    keys = [key for key, chosen in zip(all_keys, has_upright) if chosen]
    features = np.ascontiguousarray(all_features[:, :, :2 * CHANNELS][has_upright])
    turns = np.tile(np.arange(4), (len(keys), 1))
    fold = group_folds(keys, FOLDS)
    rows = features.reshape(-1, 2 * CHANNELS)
    mean, deviation = rows.mean(0), rows.std(0) + 1e-3
    scaled = (rows - mean) / deviation
    bases = [principal_components(scaled[:, part]) for part in (slice(0, CHANNELS), slice(CHANNELS, None))]
    inputs = np.concatenate([scaled[:, :CHANNELS] @ bases[0], scaled[:, CHANNELS:] @ bases[1]], 1).reshape(len(keys), 4, -1)

    def fit_on(chosen):
        return fit(inputs[chosen].reshape(-1, inputs.shape[2]), turns[chosen].reshape(-1), 4, RIDGE)

    def predict(use):
        logs = np.zeros((len(keys), 4, 4), np.float32)
        for held in range(FOLDS):
            weight, bias = fit_on((fold != held) & use)
            logs[fold == held] = torch.log_softmax(torch.from_numpy(inputs[fold == held]) @ weight.t() + bias, 2).numpy()
        return logs

    use = np.ones(len(keys), bool)
    use = margins(look_four_times(predict(use)))[0][:, 0] < MISLABELLED
    logs = predict(use)
    margin, turn = margins(look_four_times(logs))
    again = margins(logs)[0] >= MIN_FIRST_MARGIN
    for limit in MIN_MARGINS:
        rotated = (margin >= limit) & again
        right = rotated & (turn == turns)
        print(json.dumps({
            'limit': limit, 'upright': int(use.sum()), 'rotated': int(rotated[use, 0].sum()), 'lookedAgain': round(float(again[use, 0].mean()), 3),
            'sideways': round(float(right[use][:, [1, 3]].mean()), 3), 'upsideDown': round(float(right[use, 2].mean()), 3)}))
    # To look at: many of these were taken sideways or upside down.
    print(json.dumps([keys[index][:2] for index in np.flatnonzero(use & again[:, 0] & (margin[:, 0] >= MIN_MARGIN))]))
    weight, bias = fit_on(use)
    weight = weight.numpy()
    whole = np.concatenate([weight[:, :COMPONENTS] @ bases[0].T, weight[:, COMPONENTS:] @ bases[1].T], 1) / deviation
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    torch.save({'orientation': {
        'weight': torch.from_numpy(whole.astype(np.float32)), 'bias': bias - torch.from_numpy((whole @ mean).astype(np.float32)), 'classes': CLASSES}},
        out / 'heads.pt')


if __name__ == '__main__':
    main()
