"""The weights file in parts, which are static assets named by their SHA-256 and smaller than the limit of 25 MiB."""
import hashlib
import json
from pathlib import Path

PART_BYTES = 24 * 2 ** 20


def write_weights(out, blob):
    """Writes weights.json (for src/vision/network) and networks/*.bin (for src/dashboard/public)."""
    parts = {hashlib.sha256(part).hexdigest(): part
             for part in (blob[start:start + PART_BYTES] for start in range(0, len(blob), PART_BYTES))}
    (out / 'networks').mkdir(exist_ok=True)
    for name, part in parts.items():
        (out / 'networks' / f'{name}.bin').write_bytes(part)
    (out / 'weights.json').write_text(json.dumps({'bytes': len(blob), 'parts': list(parts)}) + '\n')


def read_weights(exported):
    """Reads the weights of an exported network, also from the project's static assets."""
    exported = Path(exported)
    folders = exported / 'networks', exported / '../../dashboard/public/networks'
    parts = json.loads((exported / 'weights.json').read_text())['parts']
    return b''.join(next(path for folder in folders if (path := folder / f'{part}.bin').exists()).read_bytes() for part in parts)
