"""Figures by class, confusions and confidence as Markdown from calibrate.py's saved logits: python3 report.py --photos DIR --out DIR"""
import argparse
import collections
import json
from pathlib import Path

import numpy as np

from calibrate import confidence, ece
from data import FAMILY_OF, HEADS, SURE, TYPES, class_index, read_labels
from evaluate import combine, softmax


def load_split(out, split, rows):
    """The saved logits of a split in the shape that evaluate.py returns."""
    stored = np.load(out / f'{split}-logits.npz')
    by_id = {row['id']: row for row in rows}
    own = [by_id[name] for name in stored['ids']]
    return {'rows': own, 'ious': stored['ious'], 'logits': {head: stored[head] for head in HEADS},
            'labels': {head: np.array([class_index(row, head) for row in own]) for head in HEADS}}


def interval(right, senders, draws=500):
    """95 % bootstrap interval of the mean, drawing whole people."""
    generator = np.random.default_rng(0)
    groups = [right[senders == sender] for sender in np.unique(senders)]
    means = [np.concatenate([groups[i] for i in generator.integers(len(groups), size=len(groups))]).mean() for _ in range(draws)]
    return np.percentile(means, [2.5, 97.5])


def head_lines(result, calibration):
    for head in ('type', 'pattern', 'closure', 'sleeve', 'colour', 'shown'):
        known = result['labels'][head] >= 0
        labels, logits = result['labels'][head][known], combine(result['logits'][head])[known]
        p, right = confidence(logits, labels, calibration['temperatures'][head])
        if head == 'colour':
            second = np.array([row['colour2'] for row in result['rows']])[known]
            right = right | (np.array(HEADS[head])[logits.argmax(1)] == second)
        low, top = interval(right, np.array([row['sender'] for row in result['rows']])[known])
        high = p >= 0.85
        share = f'{100 * right[high].mean():.1f} % of {100 * high.mean():.0f} %' if high.any() else 'none'
        yield f'| {head} | {known.sum()} | {100 * right.mean():.1f} % ({100 * low:.0f} to {100 * top:.0f}) | {share} | {ece(p, right):.3f} |'


def type_lines(result):
    labels, guesses = result['labels']['type'], combine(result['logits']['type']).argmax(1)
    for index, name in enumerate(TYPES):
        own = labels == index
        if own.any():
            wrong = collections.Counter(TYPES[guess] for guess in guesses[own] if guess != index)
            taken = ', '.join(f'{other} {count}' for other, count in wrong.most_common(3))
            yield f'| {name} | {own.sum()} | {100 * (guesses[own] == index).mean():.0f} % | {precision(labels, guesses, index)} | {taken} |'


def precision(labels, guesses, index):
    named = (guesses == index) & (labels >= 0)
    return f'{100 * (labels[named] == index).mean():.0f} %' if named.any() else 'never named'


def worst(result, calibration, count=8):
    labels, logits = result['labels']['type'], combine(result['logits']['type']) / calibration['temperatures']['type']
    p, guesses = softmax(logits).max(1), logits.argmax(1)
    wrong = [i for i in np.argsort(-p) if labels[i] >= 0 and guesses[i] != labels[i]][:count]
    for i in wrong:
        yield f"- {result['rows'][i]['id']}: labelled {TYPES[labels[i]]}, named {TYPES[guesses[i]]} with {100 * p[i]:.0f} %"


def section(name, result, calibration):
    labels, logits = result['labels']['type'], combine(result['logits']['type'])
    known = labels >= 0
    families = np.array([FAMILY_OF[kind] for kind in TYPES])
    kind = (families[logits.argmax(1)] == families[labels])[known].mean()
    top = (np.argsort(-logits, axis=1)[:, :4] == labels[:, None]).any(1)[known].mean()
    sure = np.array([row['mask_unsure'] <= SURE and row['shown'] == 'Flat' for row in result['rows']])
    ious = result['ious'][sure]
    return [
        f'## {name}: {len(labels)} photographs of {len({row["sender"] for row in result["rows"]})} people', '',
        f'Right kind of garment {100 * kind:.1f} %, right type among the first four {100 * top:.1f} %.',
        f'Outline on {sure.sum()} sure flat masks: mean IoU {ious[:, 0].mean():.3f} (first look), {ious[:, 1].mean():.3f} (second look); '
        f'second look above 0.90 for {100 * (ious[:, 1] > 0.9).mean():.1f} %, below 0.5 for {100 * (ious[:, 1] < 0.5).mean():.1f} %.', '',
        '| head | labelled | right (95 % interval over people) | right at p >= 0.85 | calibration error |', '|---|---|---|---|---|',
        *head_lines(result, calibration), '', '| type | photographs | found | right when named | taken for |', '|---|---|---|---|---|',
        *type_lines(result), '', 'Most confident errors:', '', *worst(result, calibration), '']


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--photos', required=True)
    parser.add_argument('--out', required=True, help='folder with calibration.json and *-logits.npz')
    options = parser.parse_args()
    out, rows = Path(options.out), read_labels(options.photos)
    calibration = json.loads((out / 'calibration.json').read_text())
    lines = []
    for split in ('dev', 'senders', 'validation'):
        if (out / f'{split}-logits.npz').exists():
            lines += section(split, load_split(out, split, rows), calibration)
    (out / 'FIGURES.md').write_text('\n'.join(lines))


if __name__ == '__main__':
    main()
