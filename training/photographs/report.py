"""Writes figures by class, confusions and confidence as Markdown, from the logits of calibrate.py: python3 report.py --photos DIR --out DIR"""
import argparse
import collections
import json
from pathlib import Path

import numpy as np

from calibrate import HIGH, ece
from sets.classes import FAMILY_OF, HEADS, TYPES, class_index
from sets.data import SURE, read_labels
from evaluate import answers, combine, right_of, softmax


def load_split(out, name, rows):
    """Loads the logits of a set in the form of evaluate.py."""
    stored = np.load(out / f'{name}-logits.npz')
    by_id = {row['id']: row for row in rows if not row['near']}
    own = [by_id[identifier] for identifier in stored['ids']]
    return {'rows': own, 'ious': stored['ious'], 'logits': {head: stored[head] for head in HEADS},
            'labels': {head: np.array([class_index(row, head) for row in own]) for head in HEADS}}


def interval(right, groups, draws=500):
    """Returns the 95 % bootstrap interval of the mean, resampling whole groups."""
    generator = np.random.default_rng(0)
    parts = [right[groups == group] for group in np.unique(groups)]
    means = [np.concatenate([parts[i] for i in generator.integers(len(parts), size=len(parts))]).mean() for _ in range(draws)]
    return np.percentile(means, [2.5, 97.5])


def head_lines(result, temperatures):
    groups = np.array([row['group'] for row in result['rows']])
    for head in HEADS:
        logits, known = answers(result, head)
        if head == 'presence' or not known.any():
            continue
        p, right = softmax(logits / temperatures[head]).max(1)[known], right_of(result, head, logits.argmax(1))[known]
        low, top = interval(right, groups[known])
        high = p >= HIGH
        share = f'{100 * right[high].mean():.1f} % of {100 * high.mean():.0f} %' if high.any() else 'none'
        yield f'| {head} | {known.sum()} | {100 * right.mean():.1f} % ({100 * low:.0f} to {100 * top:.0f}) | {share} | {ece(p, right):.3f} |'


def type_lines(result):
    labels, guesses = result['labels']['type'], combine(result, 'type').argmax(1)
    for index, name in enumerate(TYPES):
        own = labels == index
        if own.any():
            wrong = collections.Counter(TYPES[guess] for guess in guesses[own] if guess != index)
            taken = ', '.join(f'{other} {count}' for other, count in wrong.most_common(3))
            yield f'| {name} | {own.sum()} | {100 * (guesses[own] == index).mean():.0f} % | {taken} |'


def section(name, result, temperatures):
    labels, logits = result['labels']['type'], combine(result, 'type')
    known, families = labels >= 0, np.array([FAMILY_OF[kind] for kind in TYPES])
    kind = (families[logits.argmax(1)] == families[labels])[known].mean()
    top = (np.argsort(-logits, axis=1)[:, :4] == labels[:, None]).any(1)[known].mean()
    sure = np.array([row['mask_unsure'] <= SURE and row['shown'] == 'Flat' and row['box'] is None for row in result['rows']])
    lines = [f'## {name}: {len(labels)} photographs', '',
             f'Right kind of garment {100 * kind:.1f} %, right type among the first four {100 * top:.1f} %.']
    if sure.any():
        ious = result['ious'][sure]
        lines.append(
            f'Outline on {sure.sum()} sure flat masks: mean IoU {ious[:, 0].mean():.3f} (first look), {ious[:, 1].mean():.3f} (second look); '
            f'second look above 0.90 for {100 * (ious[:, 1] > 0.9).mean():.1f} %, below 0.5 for {100 * (ious[:, 1] < 0.5).mean():.1f} %.')
    return lines + [
        '', '| head | labelled | right (95 % interval) | right at p >= 0.85 | calibration error |', '|---|---|---|---|---|',
        *head_lines(result, temperatures), '', '| type | photographs | found | taken for |', '|---|---|---|---|', *type_lines(result), '']


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--photos', required=True)
    parser.add_argument('--out', required=True, help='folder with calibration.json and *-logits.npz')
    options = parser.parse_args()
    out, rows = Path(options.out), read_labels(options.photos)
    temperatures = json.loads((out / 'calibration.json').read_text())['temperatures']
    lines = []
    for name in ('held-home', 'held-studio', 'held-worn', 'senders', 'validation', 'studio'):
        if (out / f'{name}-logits.npz').exists():
            lines += section(name, load_split(out, name, rows), temperatures)
    (out / 'FIGURES.md').write_text('\n'.join(lines))


if __name__ == '__main__':
    main()
