"""Fits confidence on people not in training: python3 calibrate.py --network FILE --photos DIR --cache DIR --stamps DIR --out DIR

Writes calibration.json: per head a temperature for the two looks' averaged logits, and the rule by which a picture is
refused as having no garment. Also the figures of one split if --report names one.
"""
import argparse
import json
from pathlib import Path

import numpy as np

from augment import CROP_MARGIN, Sampler
from data import HEADS, PRESENCE, calibration_part, load_arrays, read_labels, split_dev
from evaluate import SECOND_WEIGHT, combine, evaluate, softmax, summary, two_looks
from export import Rounded, load_rounded
from negatives import load_backgrounds, load_stamps

NEGATIVES = 300


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


def fit_refusal(garments, negatives, share=0.005):
    """The weight of the type's probability that refuses most negatives while about `share` of the garments are refused."""
    best = None
    for weight in np.arange(0, 8.1, 0.5):
        score, other = garments[0] + weight * garments[1], negatives[0] + weight * negatives[1]
        limit = np.quantile(score, share)
        refused = (other < limit).mean()
        if best is None or refused > best['negativesRefused']:
            best = {
                'rule': 'refuse if logOdds + weight * p(type) < limit; logOdds = log(exp(One) + exp(Several)) - None, logits averaged over both '
                        'looks without temperature; p(type) = the largest calibrated type probability',
                'weight': float(weight), 'limit': round(float(limit), 4), 'negativesRefused': round(float(refused), 4),
                'garmentsRefused': round(float((score < limit).mean()), 4), 'negatives': len(other), 'garments': len(score)}
    return best


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
    refusal = fit_refusal(*(refusal_features(logits, heads['type']['temperature']) for logits in (result['logits'], negatives)))
    calibration = {
        'looks': {'secondWeight': SECOND_WEIGHT, 'size': options.size, 'secondSize': options.second_size, 'cropMargin': CROP_MARGIN},
        'heads': heads, 'refusal': refusal, 'dev': summary(result)}
    out = Path(options.out)
    (out / 'calibration.json').write_text(json.dumps(calibration, indent=1))
    np.savez(out / 'dev-logits.npz', ious=result['ious'], ids=[r['id'] for r in dev], **result['logits'])
    np.savez(out / 'negatives-logits.npz', **negatives)
    print(json.dumps(calibration['dev']), json.dumps(refusal))
    for split in options.report:
        part = [row for row in rows if row['split'] == split]
        reported = evaluate(model, part, arrays, options.size, options.second_size)
        np.savez(out / f'{split}-logits.npz', ious=reported['ious'], ids=[r['id'] for r in part], **reported['logits'])
        print(split, json.dumps(summary(reported)))
    if options.report:
        senders = [row for row in rows if row['split'] == 'senders']
        unseen = look_at_negatives(model, senders, arrays, options.stamps, options.cache, 'test', options.size, options.second_size)
        odds, p = refusal_features(unseen, heads['type']['temperature'])
        print('negatives from unseen people and stamps refused', (odds + refusal['weight'] * p < refusal['limit']).mean())


if __name__ == '__main__':
    main()
