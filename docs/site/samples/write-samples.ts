/** Draws the sample pictures where the service serves them, below `/samples/`: `npm run samples`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePictures } from '../../../src/platform/outbound/fetch-image.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'

const folder = join(import.meta.dirname, '../../../src/dashboard/public/samples')

/** Seeds with an even background and cloth that is easy to see. */
const drawings = {
  't-shirt.jpg': [11, 'T-Shirt'],
  'shirt.jpg': [12, 'Shirt'],
  'dress.jpg': [13, 'Dress'],
  'trousers.jpg': [14, 'Trousers'],
} as const

for (const name of samplePictures) {
  const [seed, itemType] = drawings[name]
  const { picture } = makeFlatLay(seed, { itemType, width: 600, height: 800 })
  writeFileSync(join(folder, name), encodeJpeg(picture, 85))
}
