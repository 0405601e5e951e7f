"""Fits confidence on people not in training: python3 calibrate.py --network FILE --photos DIR --cache DIR --stamps DIR --out DIR

Writes calibration.json as src/vision/predict reads it: per head a temperature for the two looks' averaged logits, and the
rule by which a picture is refused as having no garment. fit.json has the figures behind it. Also prints the figures of
the splits that --report names.
"""
import argparse
import json
from pathlib import Path

import numpy as np

from augment import Sampler
from data import HEADS, PRESENCE, calibration_part, load_arrays, read_labels, split_dev
from evaluate import combine, evaluate, softmax, summary, two_looks
from export import Rounded, load_rounded
from negatives import load_backgrounds, load_stamps

NEGATIVES = 300
HIGH, HIGH_RIGHT = 0.85, 0.95  # the least probability that is called High, and how often such an item type is to be right
CLOSURE_TEMPERATURE = 1.2  # not the best fit: the Worker ranks closures among those that the item type can have
REFUSED_SHARE = 0.005  # of the garments


def ece(p, right, bins=15):
    """Expected calibration error over bins of equal mass."""
    order = np.argsort(p)
    return sum(len(part) * abs(p[part].mean() - right[part].mean()) for part in np.array_split(order, bins) if len(part)) / len(p)


def log_loss(logits, labels):
    p = softmax(logits)[np.arange(len(labels)), labels]
    return -np.log(np.maximum(p, 1e-9)).mean()


def fit_temperature(logits, labels):
    """The temperature with the least log loss, from a fine geometric grid."""
    grid = np.geomspace(0.3, 3, 116)
    return float(grid[np.argmin([log_loss(logits / t, labels) for t in grid])])


def confidence(logits, labels, temperature):
    p = softmax(logits / temperature)
    return p.max(1), p.argmax(1) == labels


def fit_type_temperature(logits, labels):
    """The first multiple of 0.05 from the best fit on with which HIGH_RIGHT of what is called High is right."""
    for step in range(int(np.ceil(fit_temperature(logits, labels) * 20)), 61):
        p, right = confidence(logits, labels, step / 20)
        if right[p >= HIGH].mean() >= HIGH_RIGHT:
            return step / 20
    raise ValueError('What is called High is wrong too often at any temperature')


def fit_head(result, head):
    """Temperature on all rows, and the error that it has on people it was not fitted on (two folds by sender)."""
    known = result['labels'][head] >= 0
    labels, logits = result['labels'][head][known], combine(result['logits'][head])[known]
    senders = np.array([int(row['sender']) // 2 for row in result['rows']])[known]
    crossed = np.zeros(len(labels))
    for fold in (0, 1):
        held = senders % 2 == fold
        crossed[held] = fit_temperature(logits[~held], labels[~held])
    before, after = confidence(logits, labels, 1.0), confidence(logits, labels, crossed[:, None])
    return {
        'temperature': round(fit_temperature(logits, labels), 4), 'photographs': int(known.sum()),
        'accuracy': round(float(before[1].mean()), 4), 'eceBefore': round(ece(*before), 4), 'eceAfterCrossFitted': round(ece(*after), 4),
        'reliability': [[round(float(after[0][part].mean()), 3), round(float(after[1][part].mean()), 3)]
                        for part in np.array_split(np.argsort(after[0]), 10) if len(part)],
        'high': {str(limit): [round(float((after[0] >= limit).mean()), 3), round(float(after[1][after[0] >= limit].mean()), 3)]
                 for limit in (0.8, 0.85, 0.9) if (after[0] >= limit).any()}}


def refusal_features(logits, temperature):
    """Log odds of a garment against none, and the largest type probability, from both looks' averaged logits."""
    presence, none = combine(logits['presence']), PRESENCE.index('None')
    odds = np.logaddexp.reduce(np.delete(presence, none, axis=1), axis=1) - presence[:, none]
    return odds, softmax(combine(logits['type']) / temperature).max(1)


def fit_refusal(garments, negatives):
    """The weight of the type's probability that refuses most negatives at the quantile REFUSED_SHARE of the garments, and a limit.

    A picture is refused if log odds + weight * p(type) < limit. The limit is as many halves as refuse no garment more.
    """
    def scores(weight):
        return np.sort(garments[0] + weight * garments[1]), negatives[0] + weight * negatives[1]

    def refused(weight):
        score, other = scores(weight)
        return (other < np.quantile(score, REFUSED_SHARE)).mean()

    weight = float(max(np.arange(0, 8.1, 0.5), key=refused))
    score, other = scores(weight)
    limit = float(np.floor(2 * score[int(np.ceil(REFUSED_SHARE * len(score)))]) / 2)
    return {
        'weight': weight, 'limit': limit, 'negativesRefused': round(float((other < limit).mean()), 4),
        'garmentsRefused': round(float((score < limit).mean()), 4), 'negatives': len(other), 'garments': len(score)}


def look_at_negatives(model, rows, arrays, stamps, cache, part, size, second_size):
    """Logits of pictures without garments, made from people and stamps not in training."""
    backgrounds = load_backgrounds(rows, arrays[0], arrays[1], arrays[3], cache, f'backgrounds-{part}-{len(rows)}', limit=250)
    sampler = Sampler(rows, arrays, backgrounds, load_stamps(stamps, part), size, seed=77)
    parts = [two_looks(model, [sampler.negative_canvas()[0] for _ in range(30)], size, second_size)[0] for _ in range(0, NEGATIVES, 30)]
    return {head: np.concatenate([own[head] for own in parts], 1) for head in HEADS}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('network', 'photos', 'cache', 'stamps', 'out'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--size', type=int, default=192)
    parser.add_argument('--second-size', type=int, default=256)
    parser.add_argument('--wide', action='store_true', help='the network was trained on half of the dev people')
    parser.add_argument('--report', choices=['validation', 'senders'], nargs='*', default=[])
    options = parser.parse_args()
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    _, dev = split_dev(rows)
    dev = calibration_part(dev) if options.wide else dev
    model = Rounded(load_rounded(options.network)[1])
    result = evaluate(model, dev, arrays, options.size, options.second_size)
    heads = {head: fit_head(result, head) for head in HEADS if head != 'presence'}
    negatives = look_at_negatives(model, dev, arrays, options.stamps, options.cache, 'dev', options.size, options.second_size)
    known = result['labels']['type'] >= 0
    temperatures = {head: round(own['temperature'], 3) for head, own in heads.items()} | {
        'type': fit_type_temperature(combine(result['logits']['type'])[known], result['labels']['type'][known]),
        'closure': CLOSURE_TEMPERATURE, 'presence': 1}
    refusal = fit_refusal(*(refusal_features(logits, temperatures['type']) for logits in (result['logits'], negatives)))
    out = Path(options.out)
    (out / 'calibration.json').write_text(json.dumps({
        'temperatures': temperatures, 'refusal': {name: refusal[name] for name in ('weight', 'limit')}}, indent=2))
    fit = {'heads': heads, 'refusal': refusal, 'dev': summary(result)}
    (out / 'fit.json').write_text(json.dumps(fit, indent=1))
    np.savez(out / 'dev-logits.npz', ious=result['ious'], ids=[r['id'] for r in dev], **result['logits'])
    np.savez(out / 'negatives-logits.npz', **negatives)
    print(json.dumps(fit['dev']), json.dumps(temperatures), json.dumps(refusal))
    for split in options.report:
        part = [row for row in rows if row['split'] == split]
        reported = evaluate(model, part, arrays, options.size, options.second_size)
        np.savez(out / f'{split}-logits.npz', ious=reported['ious'], ids=[r['id'] for r in part], **reported['logits'])
        print(split, json.dumps(summary(reported)))
    if options.report:
        senders = [row for row in rows if row['split'] == 'senders']
        unseen = look_at_negatives(model, senders, arrays, options.stamps, options.cache, 'test', options.size, options.second_size)
        odds, p = refusal_features(unseen, temperatures['type'])
        print('negatives from unseen people and stamps refused', (odds + refusal['weight'] * p < refusal['limit']).mean())


if __name__ == '__main__':
    main()
