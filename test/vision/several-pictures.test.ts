import { describe, expect, it } from 'vitest'
import { openPicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { examinePicture, tagPicture } from '../../src/vision/tag-picture.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'

const lay = (itemType: 'T-Shirt' | 'Trousers', colour: 'Navy' | 'Red') =>
  encodeJpeg(makeFlatLay(3, { itemType, colour, pattern: 'Plain', width: 300, height: 400 }).picture, 88)

const shirt = lay('T-Shirt', 'Navy')
const plain = encodeJpeg({ width: 400, height: 300, data: new Uint8ClampedArray(400 * 300 * 4).fill(200) }, 88)

describe('a further picture of a garment', () => {
  it('is tagged if it shows the whole garment, and drawn without lines', async () => {
    const { kind, size, tagged } = await examinePicture(shirt, '')
    expect([kind, size]).toEqual(['other', [300, 400]])
    expect(tagged && openPicture(tagged.copy.jpeg)).toMatchObject({ kind: 'JPEG', width: 300, height: 400 })
    expect(tagged?.copy.drawing).toMatchObject({ lines: [], itemType: 'T-Shirt', outlines: [expect.any(Array)] })
    expect((await examinePicture(shirt, 'back')).kind).toBe('back')
  })

  it('is only listed if it is a label, a detail or a flaw, or shows no garment and nobody says that it does', async () => {
    for (const kind of ['label', 'detail', 'flaw'] as const)
      expect(await examinePicture(shirt, kind)).toEqual({ kind, size: [300, 400] })
    expect(await examinePicture(plain, '')).toEqual({ kind: 'other', size: [400, 300], chosenRotation: 0 })
    await expect(examinePicture(plain, 'back')).rejects.toThrow(new PictureError('no_garment').message)
  })

  it('is refused in any role if it is no picture', async () => {
    const broken = shirt.subarray(0, shirt.length / 2)
    for (const kind of ['', 'back', 'label'] as const)
      await expect(examinePicture(broken, kind)).rejects.toThrow(PictureError)
  })
})

describe('the tags of several pictures', async () => {
  const alone = await tagPicture(shirt, { attribute: {} })
  const evidenceOf = async (bytes: Uint8Array, kind: 'front' | 'back') => {
    const { tagged } = await examinePicture(bytes, kind)
    if (tagged === undefined) throw new Error('The picture was not tagged')
    return tagged.evidence
  }

  it('are those of one where all show the same, no surer and no less sure', async () => {
    const both = await tagPicture(shirt, { attribute: {}, others: [await evidenceOf(shirt, 'front')] })
    expect(both.tag).toEqual({ ...alone.tag, 'Item Type Alternatives': both.tag['Item Type Alternatives'] })
    expect(both.details.notes).toEqual(alone.details.notes)
    const likeliest = ({ details }: typeof both) => details.probabilities['Item Type']?.[0]
    expect(likeliest(both)).toBeCloseTo(likeliest(alone) ?? 1, 2)
  })

  it('say where the pictures contradict each other, and are then less sure', async () => {
    const others = [await evidenceOf(lay('Trousers', 'Red'), 'front')]
    const { tag, details } = await tagPicture(shirt, { attribute: {}, others })
    expect(alone.tag['Item Type Confidence']).toBe('High')
    expect(tag['Item Type Confidence']).toBe('Low')
    expect(details.notes).toEqual(expect.arrayContaining(['types_differ', 'colours_differ']))
  })

  it('take nothing of neckline and closure from a back', async () => {
    const others = [await evidenceOf(lay('Trousers', 'Red'), 'back')]
    const { details } = await tagPicture(shirt, { attribute: {}, itemType: 'T-Shirt', others })
    for (const name of ['Neckline', 'Closure'])
      expect(details.probabilities[name]).toEqual(alone.details.probabilities[name])
  })
})
