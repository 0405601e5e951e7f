"""Averages the weights of networks with a common origin: python3 average.py --networks FILE... --out FILE"""
import argparse

import torch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--networks', nargs='+', required=True)
    parser.add_argument('--out', required=True)
    options = parser.parse_args()
    stored = [torch.load(path, map_location='cpu') for path in options.networks]
    mean = {name: sum(own['model'][name] for own in stored) / len(stored) for name in stored[0]['model']}
    torch.save({'body': stored[0]['body'], 'model': mean}, options.out)


if __name__ == '__main__':
    main()
