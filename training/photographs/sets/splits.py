"""Who is held out: people at home, cut-outs by id, showcases of worn garments, titles of a shop's catalogue and of its accessories."""
import hashlib
import random

import numpy as np

from sets.classes import TYPES, class_index

FOLDS = 5  # number of folds of the worn garments, by showcase
SHOP_SETS = 'catalogue', 'accessories', 'shops'
REPORTED = 'validation', 'senders', 'studio', *SHOP_SETS
HELD_FOLD = 2  # fold that is held out by default


def split_dev(rows, share=0.12, largest=60, seed=7, tries=400):
    """Splits the training rows at home by sender into (rest, dev).

    Only senders with at most `largest` photographs go to dev, so that it has many people. Of `tries` random draws, takes the
    one whose type distribution is closest to that of all training rows.
    """
    train = [row for row in rows if row['set'] == 'home' and row['split'] == 'train']
    by_sender = {}
    for row in train:
        by_sender.setdefault(row['sender'], []).append(row)
    small = sorted(sender for sender, own in by_sender.items() if len(own) <= largest)
    target = type_shares(train)
    generator = random.Random(seed)
    best, best_distance = None, np.inf
    for _ in range(tries):
        generator.shuffle(small)
        chosen, count = set(), 0
        for sender in small:
            if count + len(by_sender[sender]) <= share * len(train):
                chosen.add(sender)
                count += len(by_sender[sender])
        distance = np.abs(type_shares([row for row in train if row['sender'] in chosen]) - target).sum()
        if distance < best_distance:
            best, best_distance = chosen, distance
    return [row for row in train if row['sender'] not in best], [row for row in train if row['sender'] in best]


def type_shares(rows):
    counts = np.bincount([index for row in rows if (index := class_index(row, 'type')) >= 0], minlength=len(TYPES))
    return counts / max(1, counts.sum())


def bucket(name, count):
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % count


def worn_fold(row):
    return bucket(row['showcase'], FOLDS)


def shop_part(row):
    """Returns the part of a shop's picture by its group: 20 % reported, 10 % held out, 70 % train."""
    tenth = bucket(row['group'], 10)
    return 'reported' if tenth < 2 else 'held' if tenth == 2 else 'train'


def reported(rows, name):
    """Returns the rows of a reported split, on which nothing is chosen."""
    if name in SHOP_SETS:
        return [row for row in rows if row['set'] == name and not row['near'] and shop_part(row) == 'reported']
    return [row for row in rows if row['split'] == name]


def judge_bucket(row):
    """Returns a number from 0 to 26, which is the same for all rows of a shop's product or of a sender."""
    name = row['group'] if row['set'] in SHOP_SETS or row['split'] == 'senders' else row['id']
    return bucket(f'judge {name}', 27)


def is_judge(row):
    """True for about 200 reported photographs that no network ever learns from, so that they can judge the shipped networks."""
    return is_reported(row) and judge_bucket(row) < 4


def is_calibration(row):
    """True for about 340 reported photographs that the shipped networks never learn from, so that they can calibrate them."""
    return is_reported(row) and 4 <= judge_bucket(row) < 10


def is_reported(row):
    """True for photographs of the reported splits."""
    return shop_part(row) == 'reported' if row['set'] in SHOP_SETS else row['split'] in REPORTED


LEARN_FROM = 'train', 'unreported', 'everyone'


def rows_to_learn_from(rows, name, fold=HELD_FOLD):
    """Returns the rows to train on: those of `split`, all that are not reported, or all but judges and calibration."""
    if name == 'train':
        return split(rows, fold)[0]
    if name == 'unreported':
        return [row for row in rows if not is_reported(row)]
    return [row for row in rows if not (is_judge(row) or is_calibration(row))]


def split(rows, fold=HELD_FOLD):
    """Returns (rows to train on, {set: held-out rows}).

    Held out are half of the dev people at home, 10 % of the cut-outs, one fold of the worn garments and 10 % of the shops' groups.
    """
    rest, dev = split_dev(rows)
    held = {
        'home': [row for row in dev if int(row['sender']) % 2 == 0],
        'studio': [row for row in rows if row['set'] == 'studio' and row['split'] == 'train' and bucket(row['id'], 10) == 0],
        'worn': [row for row in rows if row['set'] == 'worn' and not row['near'] and worn_fold(row) == fold]}
    held |= {name: [row for row in rows if row['set'] == name and not row['near'] and shop_part(row) == 'held'] for name in SHOP_SETS}
    train = rest + [row for row in dev if int(row['sender']) % 2 == 1]
    train += [row for row in rows if row['set'] == 'studio' and row['split'] == 'train' and bucket(row['id'], 10) != 0]
    train += [row for row in rows if row['set'] == 'worn' and worn_fold(row) != fold]
    train += [row for row in rows if row['set'] == 'people' or row['set'] in SHOP_SETS and shop_part(row) == 'train']
    return train, held
