import { describe, expect, it } from 'vitest'
import { countTurns } from './count-turns.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { openPicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { describeGarment } from '../../src/vision/attributes/build-tag.ts'
import { analyse } from '../../src/vision/tag-analysis.ts'
import { shrinkByFactor } from '../../src/vision/image/shrink.ts'
import { predictPicture } from '../../src/vision/network/predict-picture.ts'
import { lineLength } from '../../src/vision/view.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'

describe('tagPicture', () => {
  it('tags, measures and describes a T-shirt, and keeps a copy of its picture', async () => {
    const lay = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain', gender: "Men's" })
    const tagged = await tagPicture(encodeJpeg(lay.picture, 88), {
      attribute: { Gender: "Men's", Brand: 'Acme', Material: 'Cotton', Studio: '18' },
      cmPerPixel: lay.truth.cmPerPixel,
    })
    expect(tagged.tag).toMatchObject({
      'Item Type': 'T-Shirt',
      Colour: 'Navy',
      Brand: 'Acme',
      Material: 'Cotton',
      Gender: "Men's",
      Category: 'Clothing',
    })
    expect(Math.abs(tagged.measurements['Chest (cm)']! - lay.truth.measurements['Chest']!)).toBeLessThan(1.5)
    expect(openPicture(tagged.copy.jpeg)).toMatchObject({ kind: 'JPEG', width: 600, height: 800 })
  })

  it('measures the same lengths that pages compute from the stored lines', async () => {
    for (const seed of [3, 4, 5]) {
      const lay = makeFlatLay(seed, { itemType: 'T-Shirt', width: 1500, height: 2000 })
      const hints = { attribute: {}, cmPerPixel: lay.truth.cmPerPixel }
      const { measurements, details, copy } = await tagPicture(encodeJpeg(lay.picture, 88), hints)
      const { scale = 0, lines } = details.view
      const computed = Object.entries(lines).map(([name, line]) => [`${name} (cm)`, lineLength(scale, line)])
      expect(Object.keys(lines).length).toBeGreaterThan(3)
      expect(measurements).toEqual(Object.fromEntries(computed))
      expect(copy.drawing.lines.map(({ name, cm }) => [`${name} (cm)`, cm])).toEqual(computed)
    }
  })

  it('measures and describes what a person says it is, and keeps what it predicts', async () => {
    const lay = makeFlatLay(3, { itemType: 'Trousers', colour: 'Navy', pattern: 'Plain', width: 300, height: 400 })
    const bytes = encodeJpeg(lay.picture, 88)
    const predicted = await tagPicture(bytes, { attribute: {} })
    const chosen = await tagPicture(bytes, { attribute: {}, itemType: 'Skirt' })
    expect(predicted.details.measuredAs).toBe(undefined)
    expect(chosen.details.measuredAs).toBe('Skirt')
    expect(chosen.tag['Item Type']).toBe(predicted.tag['Item Type'])
    expect([predicted.measurements, chosen.measurements].map((all) => 'Inseam (cm)' in all)).toEqual([true, false])
    expect(Object.keys(chosen.measurements).length).toBeGreaterThan(0)
    expect([predicted, chosen].map(({ copy }) => copy.drawing.itemType)).toEqual(['Trousers', 'Skirt'])
  })

  it('measures nothing of a set, and names its parts', async () => {
    const lay = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain', width: 300, height: 400 })
    const tagged = await tagPicture(encodeJpeg(lay.picture, 88), { attribute: {}, cmPerPixel: 0.2, itemType: 'Set' })
    expect(tagged.measurements).toEqual({})
    expect(tagged.tag['Parts']).toMatch(/^T-Shirt and /)
    expect(describeGarment('Set', tagged.tag)).toMatch(/ set of T-shirt and /)
  })

  it('says that a picture is dark, and is then sure of no colour', async () => {
    const { picture } = makeFlatLay(3, {
      itemType: 'T-Shirt',
      colour: 'White',
      pattern: 'Plain',
      width: 300,
      height: 400,
    })
    const quarter = picture.data.map((level, index) =>
      index % 4 === 3 ? level : 255 * ((level / 255) ** 2.2 / 4) ** (1 / 2.2),
    )
    const [bright, dark] = [
      await tagPicture(encodeJpeg(picture, 88), { attribute: {} }),
      await tagPicture(encodeJpeg({ ...picture, data: quarter }, 88), { attribute: {} }),
    ]
    expect([bright, dark].map(({ details }) => details.notes.includes('dark'))).toEqual([false, true])
    expect([bright, dark].map(({ tag }) => tag['Colour Confidence'] === 'High')).toEqual([true, false])
  })

  it('estimates lengths from usual sizes if the scale is not known', async () => {
    const lay = makeFlatLay(3, { itemType: 'T-Shirt', gender: "Men's", pattern: 'Plain' })
    const { measurements } = await tagPicture(encodeJpeg(lay.picture, 88), { attribute: { Gender: "Men's" } })
    expect(measurements['Chest (cm)']).toBeGreaterThan(45)
    expect(measurements['Chest (cm)']).toBeLessThan(60)
    for (const cm of Object.values(measurements)) expect(cm * 2).toBe(Math.round(cm * 2))
  })

  it('measures trousers that the edge of the picture cuts off only if a scale says that they lie flat', async () => {
    const { picture, truth } = makeFlatLay(3, { itemType: 'Trousers', colour: 'Navy', pattern: 'Plain' })
    const { width, data } = picture
    const top = Math.ceil(truth.mask.indexOf(1) / width) + 80
    const cut = encodeJpeg({ width, height: picture.height - top, data: data.subarray(top * width * 4) }, 88)
    const unknown = await tagPicture(cut, { attribute: {} })
    const known = await tagPicture(cut, { attribute: {}, cmPerPixel: truth.cmPerPixel })
    expect(unknown.details.notes).toEqual(['reaches_edge'])
    expect(unknown.measurements).toEqual({})
    expect(known.tag['Item Type']).toBe('Trousers')
    expect(Object.keys(known.measurements)).toContain('Inseam (cm)')
  })

  it('leaves other requests their turn between the steps that take long', async () => {
    const bytes = encodeJpeg(makeFlatLay(3, { itemType: 'T-Shirt', width: 300, height: 400 }).picture)
    // The card, loading, three runs of the network, cutting out, colours, measuring, drawing, encoding.
    expect(await countTurns(async () => await tagPicture(bytes, { attribute: {} }))).toBeGreaterThanOrEqual(10)
  })

  it('tags pictures that come at the same time one after the other, each with its own result', async () => {
    const lays = (['Black', 'Red', 'Navy'] as const).map((colour, index) =>
      makeFlatLay(index + 20, { itemType: 'T-Shirt', colour, pattern: 'Plain', width: 300, height: 400 }),
    )
    const tagged = await Promise.all(lays.map(({ picture }) => tagPicture(encodeJpeg(picture, 88), { attribute: {} })))
    expect(tagged.map(({ tag }) => tag['Colour'])).toEqual(['Black', 'Red', 'Navy'])
  })

  it('reports that there is no garment in a blank picture, and continues with the next one', async () => {
    const blank = { width: 400, height: 400, data: new Uint8ClampedArray(400 * 400 * 4).fill(250) }
    await expect(tagPicture(encodeJpeg(blank), { attribute: {} })).rejects.toThrow(new PictureError('no_garment'))
    const lay = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain', width: 300, height: 400 })
    await expect(tagPicture(encodeJpeg(lay.picture), { attribute: {} })).resolves.toMatchObject({
      tag: { Colour: 'Navy' },
    })
  })

  it('tags the largest of several garments, says so, and is sure of nothing', async () => {
    const colours = ['Navy', 'Red'] as const
    const lays = colours.map((colour, index) =>
      makeFlatLay(3, {
        itemType: index === 0 ? 'T-Shirt' : 'Trousers',
        colour,
        pattern: 'Plain',
        width: 400,
        height: 400,
      }),
    )
    const both = { width: 800, height: 400, data: new Uint8ClampedArray(800 * 400 * 4) }
    lays.forEach(({ picture }, index) => {
      for (let y = 0; y < 400; y++)
        both.data.set(picture.data.subarray(y * 1600, (y + 1) * 1600), (y * 800 + index * 400) * 4)
    })
    const tagged = await tagPicture(encodeJpeg(both, 88), { attribute: {} })
    expect(tagged.details).toMatchObject({ shown: 'several', notes: ['several', 'estimate_either'] })
    expect(tagged.tag).toMatchObject({ 'Item Type': 'T-Shirt', Colour: 'Navy' })
    expect(Object.values(tagged.tag)).not.toContain('High')
    // The whole picture shows somebody who wears them, which the largest one by itself may hide.
    const analysis = await analyse(both, undefined)
    const whole = await predictPicture(shrinkByFactor(both, analysis.factor))
    expect(analysis.prediction.heads.shown).toEqual(whole.heads.shown)
    expect(analysis.prediction.heads.type).not.toEqual(whole.heads.type)
  })
})
