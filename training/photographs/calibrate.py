"""Calibrates confidence on held-out photographs: python3 calibrate.py --network FILE --photos DIR --cache DIR --stamps DIR --out DIR

Writes calibration.json: a temperature for each head, and the limit below which a picture is refused as showing no garment. Writes
the figures to fit.json, and also measures the splits named by --report.
"""
import argparse
import json
from pathlib import Path

import numpy as np
import torch

from sets.classes import CLOSURES, HEADS, PRESENCE, TYPES, class_index
from samples.compose import Composer
from sets.data import load_arrays, read_labels
from evaluate import answers, combine, evaluate, look, right_of, softmax, summary
from export import Rounded, load_rounded
from network.model import load_network
from network.near import load_near
from network.neck import load_neck
from sets.negatives import load_backgrounds, load_stamps
from sets.splits import HELD_FOLD, SHOP_SETS, reported, split

NEGATIVES = 300
HIGH, HIGH_RIGHT = 0.85, {'type': 0.95, 'fit': 0.93}  # threshold of High, and how often a High value must be right
LEAST_SEEN = 3  # training rows that a type needs with a closure, so that it counts as one of its closures
REFUSED_SHARE = 0.975  # share of pictures without a garment that must be refused
SET_WEIGHTS = {'worn': 2.0}  # weight of a held-out picture by set, 1 by default. Few are worn


def ece(p, right, bins=15):
    """Returns the expected calibration error over bins of equal size."""
    order = np.argsort(p)
    return sum(len(part) * abs(p[part].mean() - right[part].mean()) for part in np.array_split(order, bins) if len(part)) / len(p)


def closures_of_types(rows):
    """Returns a (types, closures) mask of the closures that each type has."""
    counts = np.zeros((len(TYPES), len(CLOSURES)), int)
    for row in rows:
        kind, closure = class_index(row, 'type'), class_index(row, 'closure')
        if kind >= 0 and closure >= 0:
            counts[kind, closure] += 1
    return counts >= LEAST_SEEN


def collect(results, head, closures=None):
    """Returns logits, labels and weights of the held-out rows of all sets.

    Only fits and closures of the predicted type compete, as in the Worker. Rows with another label are excluded.
    """
    parts = []
    for name, result in results.items():
        logits, known = answers(result, head)
        labels = result['labels'][head]
        if head == 'closure':
            logits = np.where(closures[combine(result, 'type').argmax(1)], logits, -30.0)
        known = known & (logits[np.arange(len(labels)), labels] > -29)
        parts.append((logits[known], labels[known], np.full(known.sum(), SET_WEIGHTS.get(name.removeprefix('held-'), 1.0))))
    return [np.concatenate(own) for own in zip(*parts)]


def log_loss(logits, labels, weights):
    p = softmax(logits)[np.arange(len(labels)), labels]
    return -np.average(np.log(np.maximum(p, 1e-9)), weights=weights)


def fit_temperature(logits, labels, weights):
    """Returns the temperature with the least log loss, from a geometric grid."""
    grid = np.geomspace(0.3, 3, 116)
    return float(grid[np.argmin([log_loss(logits / t, labels, weights) for t in grid])])


def fit_high_temperature(logits, labels, weights, right):
    """Returns the lowest multiple of 0.05, from the best fit on, with which at least `right` of the High values are right."""
    for step in range(int(np.ceil(fit_temperature(logits, labels, weights) * 20)), 121):
        p = softmax(logits * 20 / step)
        high = p.max(1) >= HIGH
        if not high.any() or np.average((p.argmax(1) == labels)[high], weights=weights[high]) >= right:
            return step / 20
    raise ValueError('High values are wrong too often at any temperature')


def figures(result, head, temperature):
    """Returns accuracy, calibration error, and share and accuracy of High values of one set."""
    logits, known = answers(result, head)
    p, right = softmax(logits / temperature).max(1)[known], right_of(result, head, logits.argmax(1))[known]
    if not len(p):
        return None
    high = p >= HIGH
    return {'photographs': len(p), 'right': round(float(right.mean()), 4), 'ece': round(ece(p, right), 4),
            'high': round(float(high.mean()), 3), 'highRight': round(float(right[high].mean()), 4) if high.any() else None}


def refusal_features(result, temperature):
    """Returns the log odds of presence and the largest type probability."""
    presence, none = combine(result, 'presence'), PRESENCE.index('None')
    odds = np.logaddexp.reduce(np.delete(presence, none, axis=1), axis=1) - presence[:, none]
    return odds, softmax(combine(result, 'type') / temperature).max(1)


def fit_refusal(garments, negatives):
    """Fits the rule that refuses a picture if log odds + weight * p(type) < limit.

    For each weight, takes the lowest multiple of 0.5 that refuses REFUSED_SHARE of the negatives. Chooses the pair whose limit lies
    furthest below the score that 99 % of the garments exceed.
    """
    def scores(weight):
        return garments[0] + weight * garments[1], negatives[0] + weight * negatives[1]

    def limit_of(weight):
        return float(np.ceil(2 * np.quantile(scores(weight)[1], REFUSED_SHARE)) / 2 + 0.0)  # no -0.0

    weight = float(max(np.arange(0, 4.1, 0.5), key=lambda own: np.quantile(scores(own)[0], 0.01) - limit_of(own)))
    limit, (score, other) = limit_of(weight), scores(weight)
    return {
        'weight': weight, 'limit': limit, 'negativesRefused': round(float((other < limit).mean()), 4),
        'garmentsRefused': round(float((score < limit).mean()), 4), 'negatives': len(other), 'garments': len(score)}


def look_at_negatives(networks, rows, arrays, options, part):
    """Returns logits of pictures without garments, composed of people and stamps that are not in training."""
    backgrounds = load_backgrounds(rows, arrays, options.cache, f'backgrounds-{part}-{len(rows)}', limit=250)
    composer = Composer(arrays, backgrounds, load_stamps(options.stamps, part), np.random.default_rng(77))
    parts = [look(networks, [composer.negative()[0] for _ in range(15)], options.sizes, options.fast)[0] for _ in range(0, min(NEGATIVES, options.limit), 15)]
    return {head: np.concatenate([own[head] for own in parts], 1) for head in HEADS}


def save(out, name, result):
    np.savez(out / f'{name}-logits.npz', ious=result['ious'], ids=[row['id'] for row in result['rows']], **result['logits'])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('network', 'near', 'neck', 'photos', 'cache', 'stamps', 'out'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--sizes', type=int, nargs=2, default=[192, 256])
    parser.add_argument('--fold', type=int, default=HELD_FOLD, help='of the worn garments, as in training')
    parser.add_argument('--report', choices=['validation', 'senders', 'studio', *SHOP_SETS], nargs='*', default=[])
    parser.add_argument('--fast', action='store_true', help='in bfloat16 with AVX-512, a quarter of the time for a rounding that is a little coarser')
    parser.add_argument('--limit', type=int, default=1000, help='at most so many of a set')
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows, arrays, out = read_labels(options.photos), load_arrays(options.photos, options.cache), Path(options.out)
    model = load_network(options.network).to(memory_format=torch.channels_last) if options.fast else Rounded(*load_rounded(options.network)[1:])
    networks = [model, *(load(path).to(memory_format=torch.channels_last) for load, path in ((load_near, options.near), (load_neck, options.neck)))]
    train, held = split(rows, options.fold)
    draw = np.random.default_rng(11).permutation
    held = {name: [own[index] for index in sorted(draw(len(own))[:options.limit])] for name, own in held.items()}
    closures = closures_of_types(train)
    results = {f'held-{name}': evaluate(networks, own, arrays, *options.sizes, options.fast) for name, own in held.items()}
    negatives = look_at_negatives(networks, held['home'], arrays, options, 'dev')
    temperatures = {head: round(fit_temperature(*collect(results, head, closures)), 3) for head in HEADS if head != 'presence'} | {
        head: fit_high_temperature(*collect(results, head), right) for head, right in HIGH_RIGHT.items()} | {'presence': 1}
    seen = {name: refusal_features(result, temperatures['type']) for name, result in results.items()}
    things = {name: np.array([row['source'] == 'thing' for row in result['rows']]) for name, result in results.items()}
    of = lambda wanted: [np.concatenate([own[index][things[name] == wanted] for name, own in seen.items()]) for index in (0, 1)]
    others = refusal_features({'logits': negatives}, temperatures['type'])
    refusal = fit_refusal(of(False), [np.concatenate(own) for own in zip(others, of(True))])
    (out / 'calibration.json').write_text(json.dumps({
        'temperatures': temperatures, 'refusal': {name: refusal[name] for name in ('weight', 'limit')}}, indent=2) + '\n')
    for name in options.report:
        part = reported(rows, name)
        results[name] = evaluate(networks, part, arrays, *options.sizes, options.fast)
    fit = {'refusal': refusal, 'sets': {name: {
        'summary': summary(result), 'heads': {head: figures(result, head, temperatures[head]) for head in HEADS if head != 'presence'}}
        for name, result in results.items()}}
    (out / 'fit.json').write_text(json.dumps(fit, indent=1))
    for name, result in results.items():
        save(out, name, result)
        print(name, json.dumps(fit['sets'][name]['summary']), json.dumps(fit['sets'][name]['heads']['type']))
    np.savez(out / 'negatives-logits.npz', **negatives)
    print(json.dumps(temperatures), json.dumps(refusal))
    if 'senders' in options.report:
        unseen = look_at_negatives(networks, results['senders']['rows'], arrays, options, 'test')
        odds, p = refusal_features({'logits': unseen}, temperatures['type'])
        print('negatives from unseen people and stamps refused', (odds + refusal['weight'] * p < refusal['limit']).mean())


if __name__ == '__main__':
    main()
