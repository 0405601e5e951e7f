import { describe, expect, it } from 'vitest'
// @ts-expect-error: the scripts of the pages have no types.
import { groupPictures as group, readName } from '../../src/dashboard/public/assets/scripts/upload/group-files.js'
// @ts-expect-error: as above.
import { readTime } from '../../src/dashboard/public/assets/scripts/upload/read-time.js'
import { withOrientation } from '../fixtures/pictures/with-orientation.ts'
import { withTime } from '../fixtures/pictures/with-time.ts'

interface Picture {
  readonly name: string
  readonly takenAt: number | null
}

const groupPictures = group as (pictures: readonly Picture[]) => { readonly pictures: readonly Picture[] }[]

const namesOf = (pictures: readonly Picture[]) =>
  groupPictures(pictures).map(({ pictures: ofGarment }) => ofGarment.map(({ name }) => name).join(' '))

const named = (...names: readonly string[]) => names.map((name) => ({ name, takenAt: null }))

describe('pictures are grouped by their names', () => {
  it.each([
    [
      ['12-2.jpg', '12-1.jpg', '13.jpg', '12 (3).JPG', '13_2.png', '14.jpg'],
      ['12-1.jpg 12-2.jpg 12 (3).JPG', '13.jpg 13_2.png', '14.jpg'],
    ],
    [['coat-1.jpg', 'coat-2.jpg', 'coat-10.jpg'], ['coat-1.jpg coat-2.jpg coat-10.jpg']],
    [
      ['A 7-1.jpg', 'A 7-2.jpg', 'A 8-1.jpg'],
      ['A 7-1.jpg A 7-2.jpg', 'A 8-1.jpg'],
    ],
  ])('%j', (names, expected) => {
    expect(namesOf(named(...names))).toEqual(expected)
  })

  it.each([
    ['IMG_0001.jpg', 'IMG_0002.jpg'],
    ['IMG_1.jpg', 'IMG_2.jpg'],
    ['IMG_1234 (1).jpg', 'IMG_1234 (2).jpg'],
    ['IMG_E1234-1.heic', 'IMG_E1234-2.heic'],
    ['image (1).jpg', 'image (2).jpg'],
    ['DSC01234-1.jpg', 'DSC01234-2.jpg'],
    ['20261128_101500.jpg', '20261128_101501.jpg'],
    ['20261128_101500-1.jpg', '20261128_101500-2.jpg'],
    ['2026-11-28 10.15.01.jpg', '2026-11-28 10.15.02.jpg'],
    ['PXL_20261128_101500123.jpg', 'PXL_20261128_101501456.jpg'],
    ['IMG-20261128-WA0001.jpg', 'IMG-20261128-WA0002.jpg'],
    ['12-1.jpg', '12_1.jpg'],
    Array.from({ length: 9 }, (_, i) => `stock-${i + 1}.jpg`),
  ])('but not %s, %s', (...names) => {
    expect(namesOf(named(...names))).toEqual(names)
  })

  it('which name the garment', () => {
    expect(readName('12 (2).jpg')).toEqual({ name: '12', number: 2 })
    expect(readName('12.jpg')).toEqual({ name: '12', number: 0 })
  })
})

const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const box = (name: string, ...content: readonly number[]) => [
  ...u32(8 + content.length),
  ...new TextEncoder().encode(name),
  ...content,
]

/** A HEIC file without a picture: its boxes list where its EXIF data is. */
function heicWith(exif: Uint8Array, version: number): Uint8Array<ArrayBuffer> {
  const infe = (id: number, type: string) => box('infe', 2, 0, 0, 0, 0, id, 0, 0, ...new TextEncoder().encode(type), 0)
  const iinf = box('iinf', 0, 0, 0, 0, 0, 2, ...infe(1, 'hvc1'), ...infe(2, 'Exif'))
  const ftyp = box('ftyp', ...new TextEncoder().encode('heic'), ...u32(0))
  const meta = (offset: number) => {
    const construction = version === 0 ? [] : [0, 0]
    const entry = (id: number, at: number) => [0, id, ...construction, 0, 0, 0, 1, ...u32(at), ...u32(4 + exif.length)]
    return box(
      'meta',
      0,
      0,
      0,
      0,
      ...iinf,
      ...box('iloc', version, 0, 0, 0, 0x44, 0, 0, 2, ...entry(1, 0), ...entry(2, offset)),
    )
  }
  const start = ftyp.length + meta(0).length + 8
  return Uint8Array.from([...ftyp, ...meta(start), ...box('mdat', ...u32(0), ...exif)])
}

it('pictures are grouped in the order of their time', () => {
  const taken = (...seconds: readonly number[]) =>
    seconds.map((at, i) => ({ name: `IMG_${1000 + i}.jpg`, takenAt: 1_795_000_000_000 + at * 1000 }))
  const [first, second, ...others] = taken(0, 5, 60, 65)
  expect(namesOf([second, first, ...others].filter((each) => each !== undefined))).toEqual([
    'IMG_1000.jpg IMG_1001.jpg',
    'IMG_1002.jpg IMG_1003.jpg',
  ])
})

describe('the time at which a picture was taken', () => {
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xdb, 0, 4, 0, 0, 0xff, 0xda)
  const read = readTime as (file: Blob) => Promise<number | null>

  it.each([true, false])('is read from its EXIF block, little endian: %s', async (isLittle) => {
    const file = new Blob([withTime(jpeg, '2026:11:28 10:15:01', { fraction: '25', isLittle })])
    expect(await read(file)).toBe(Date.UTC(2026, 10, 28, 10, 15, 1, 250))
  })

  it.each([0, 1])('is read from the EXIF item of a HEIC file, with a list of version %s', async (version) => {
    const exif = withTime(jpeg, '2026:11:28 10:15:02').slice(12, 12 + 76)
    expect(await read(new Blob([heicWith(exif, version)]))).toBe(Date.UTC(2026, 10, 28, 10, 15, 2))
  })

  it.each<readonly [string, Uint8Array<ArrayBuffer>]>([
    ['of a JPEG without one', jpeg],
    ['of one with other EXIF data', new Uint8Array(withOrientation(jpeg, 6))],
    ['of one that says no time', withTime(jpeg, '    :  :     :  :  ')],
    ['of a PNG', Uint8Array.of(0x89, 0x50, 0x4e, 0x47)],
    ['of nothing', new Uint8Array()],
    ...[12, 30, 60, 80].map(
      (bytes) =>
        [`of one that ends after ${bytes} bytes`, withTime(jpeg, '2026:11:28 10:15:01').slice(0, bytes)] as const,
    ),
  ])('is not known %s', async (_, bytes) => {
    expect(await read(new Blob([bytes]))).toBe(null)
  })
})
