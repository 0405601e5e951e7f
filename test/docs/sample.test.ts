import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { assert, beforeAll, expect, it } from 'vitest'
import { annotatePicture } from '../../src/vision/annotate/annotate-picture.ts'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'

const samples = 'src/dashboard/public/samples'

let dress: Awaited<ReturnType<typeof tagPicture>>

beforeAll(async () => {
  dress = await tagPicture(readFileSync(`${samples}/dress.jpg`), { attribute: {} })
})

it("README shows what the tagger answers to the sample's picture", () => {
  const [, json = ''] = /```json\n([^]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  const { tag, measurements, scale } = JSON.parse(json) as typeof dress & { scale: string }
  expect(dress).toMatchObject({ tag, measurements, details: { scale } })
})

it('the start page states measurements of the picture that it shows', () => {
  const [, chest, length] =
    /Chest ([\d.]+) cm, body length ([\d.]+) cm/.exec(readFileSync('src/dashboard/account/sign-in-page.tsx', 'utf8')) ??
    []
  expect({ 'Chest (cm)': Number(chest), 'Body Length (cm)': Number(length) }).toEqual({
    'Chest (cm)': dress.measurements['Chest (cm)'],
    'Body Length (cm)': dress.measurements['Body Length (cm)'],
  })
})

it('the annotated sample is what the service draws; with UPDATE=1, it is drawn again', async () => {
  const { picture } = await decodePicture(dress.copy.jpeg, Infinity)
  const drawn = encodeJpeg(annotatePicture(picture, dress.copy.drawing))
  if (process.env['UPDATE'] !== undefined) writeFileSync(`${samples}/dress-annotated.jpg`, drawn)
  const [shown, expected] = await Promise.all(
    [readFileSync(`${samples}/dress-annotated.jpg`), drawn].map(
      async (jpeg) => (await decodePicture(jpeg, Infinity)).picture,
    ),
  )
  assert(shown !== undefined && expected !== undefined)
  expect([shown.width, shown.height]).toEqual([expected.width, expected.height])
  // Levels of 255. A line or number elsewhere changes more.
  const difference = shown.data.reduce((sum, level, index) => sum + Math.abs(level - (expected.data[index] ?? 0)), 0)
  expect(difference / shown.data.length).toBeLessThan(0.5)
})
