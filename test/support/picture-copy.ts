import { type Drawing, formatCopy } from '../../src/vision/annotate/clean-copy.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { hashPicture } from '../../src/vision/picture-hash.ts'

/** A grey square with a T-shirt's outline and one measured line. */
export const drawing: Drawing = {
  isCutOut: false,
  itemType: 'T-Shirt',
  colour: 'Grey',
  colourHex: '#808080',
  scale: 1,
  scaleSource: 'studio',
  outlines: [
    [
      [10, 10],
      [90, 10],
      [90, 90],
      [10, 90],
    ],
  ],
  holes: [],
  card: [],
  lines: [{ name: 'Chest', from: [20, 30], to: [70, 30], cm: 50 }],
}

const grey = new Uint8ClampedArray(100 * 100 * 4).fill(255).map((level, at) => (at % 4 === 3 ? level : 200))

const picture = { width: 100, height: 100, data: grey }

export const pictureCopy = { jpeg: encodeJpeg(picture), drawing, hash: hashPicture(picture) }

/** The copy in the form that tagging stores. */
export const storedCopy = (uuid = 'g') => formatCopy(pictureCopy.jpeg, { uuid, file: '', drawing })
