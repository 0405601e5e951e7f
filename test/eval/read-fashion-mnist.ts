import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Where Debian's package puts the set. */
const FOLDER = '/usr/share/datasets/fashion-mnist'

export interface LabelledPictures {
  /** 784 bytes a picture. */
  readonly pixels: Uint8Array
  readonly labels: Uint8Array
}

/** Reads the 10,000 test pictures. Throws an `Error` that says what to install where they are not to be found. */
export async function readFashionMnistTest(folder = FOLDER): Promise<LabelledPictures> {
  const [pixels, labels] = await Promise.all([
    readIdx(join(folder, 't10k-images-idx3-ubyte.gz'), 16),
    readIdx(join(folder, 't10k-labels-idx1-ubyte.gz'), 8),
  ])
  if (pixels.length !== labels.length * 784) throw new Error(`The pictures and labels in ${folder} do not match.`)
  return { pixels, labels }
}

async function readIdx(path: string, headerBytes: number): Promise<Uint8Array> {
  const packed = await readFile(path).catch(() => undefined)
  if (packed === undefined) {
    throw new Error('Fashion-MNIST is not installed; on Debian: apt-get install dataset-fashion-mnist')
  }
  return gunzipSync(packed).subarray(headerBytes)
}
