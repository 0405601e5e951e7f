import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Picture } from '../../../src/vision/picture.ts'
import { createRandom, type Random } from '../../../training/flat-lay/random.ts'
import { maxMaskUnsure } from '../photos/mappings.ts'
import { readMask } from '../photos/read-mask.ts'
import type { Photo } from '../photos/read-photos.ts'
import type { startWorker } from '../start-worker.ts'
import type { CutOut } from './render-scene.ts'
import { boxOfMask } from './sample-scene.ts'

type Worker = Awaited<ReturnType<typeof startWorker>>

/** Shortest side of a floor in pixels; less has no texture. */
const minFloor = 40

/** Around a mask, whose edge is not exact. */
const margin = 4

/** Heights that garments have, in centimetres; what the pictures show is not known. */
const heights = [45, 85] as const

/** A garment and a floor for each seed, both real; the garment is `chosen` if one is. */
export function createSources(worker: Worker, photos: readonly Photo[]) {
  const isUsable = ({ shown, maskUnsure }: Photo) => shown === 'Flat' && maskUnsure <= maxMaskUnsure
  const cutOuts = photos.filter((photo) => photo.split === 'studio' && isUsable(photo))
  const rooms = photos.filter((photo) => photo.split === 'validation' && isUsable(photo))
  const read = async (seed: number, chosen?: Photo) => {
    const random = createRandom(seed * 7 + 1)
    return {
      ...(await readCutOut(worker, chosen ?? random.pick(cutOuts), random)),
      floor: await readFloor(worker, rooms, random),
    }
  }
  return cutOuts.length === 0 || rooms.length === 0 ? undefined : read
}

async function readCutOut(worker: Worker, photo: Photo, random: Random): Promise<{ photo: Photo; cutOut: CutOut }> {
  const picture = await readPicture(worker, photo)
  const mask = await maskOf(photo)
  const [, top, , bottom] = boxOfMask(mask, picture.width)
  return { photo, cutOut: { picture, mask, cmPerPixel: random.between(...heights) / (bottom - top) } }
}

/** The largest of four strips beside a garment. */
async function readFloor(worker: Worker, rooms: readonly Photo[], random: Random): Promise<Picture> {
  for (;;) {
    const room = random.pick(rooms)
    const picture = await readPicture(worker, room)
    const { width, height } = picture
    const [left, top, right, bottom] = boxOfMask(await maskOf(room), width)
    const strips = [
      [0, 0, width, top - margin],
      [0, bottom + margin, width, height],
      [0, 0, left - margin, height],
      [right + margin, 0, width, height],
    ] as const
    const area = ([x, y, end, last]: readonly number[]) => Math.max(0, end! - x!) * Math.max(0, last! - y!)
    const [x, y, end, last] = strips.reduce((best, strip) => (area(strip) > area(best) ? strip : best))
    if (end - x < minFloor || last - y < minFloor) continue
    const data = new Uint8ClampedArray((end - x) * (last - y) * 4)
    for (let row = y; row < last; row++)
      data.set(picture.data.subarray((row * width + x) * 4, (row * width + end) * 4), (row - y) * (end - x) * 4)
    return { width: end - x, height: last - y, data }
  }
}

async function readPicture(worker: Worker, { folder, id }: Photo): Promise<Picture> {
  const body = await readFile(join(folder, 'images', `${id}.jpg`))
  const response = await worker.fetch('/pixels', { method: 'POST', body })
  const width = Number(response.headers.get('width'))
  const data = new Uint8ClampedArray(await response.arrayBuffer())
  return { width, height: data.length / 4 / width, data }
}

async function maskOf({ folder, id }: Photo): Promise<Uint8Array> {
  return readMask(await readFile(join(folder, 'masks', `${id}.png`))).data
}
