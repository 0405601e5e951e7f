import { describe, expect, it } from 'vitest'
import { openPicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import type { Opinion, OpinionRequest } from '../../src/vision/opinion.ts'
import { consult } from '../../src/vision/consult.ts'
import { encodeSquare } from '../../src/vision/write-questions.ts'
import { analyse, tagAnalysis } from '../../src/vision/tag-analysis.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { sureOf } from '../tagging/stand-in.ts'

const lay = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain', width: 900, height: 1200 })
const bytes = encodeJpeg(lay.picture, 88)
const analysis = await analyse(lay.picture, undefined)

/** A model that is sure of each choice, and what it was asked. */
function sureModel(choices: Readonly<Record<string, string>>) {
  const asked: OpinionRequest[] = []
  const ask = async (request: OpinionRequest): Promise<Opinion> => {
    asked.push(request)
    const answers = request.questions.map(({ attribute: name, options }) => {
      const values = Object.keys(options)
      return [name, sureOf(values, choices[name] ?? values[0] ?? '', 0.999)] as const
    })
    return { model: '@cf/cloudflare/clef', answers: Object.fromEntries(answers) }
  }
  return { consultation: { mode: 'always', ask } as const, asked }
}

/** Concludes the tags from what was read from the picture, with a second opinion. */
async function tagWith(choices: Readonly<Record<string, string>>, attribute: Record<string, string> = {}) {
  const { consultation, asked } = sureModel(choices)
  const opinion = await consult(consultation, lay.picture, analysis)
  const { tag, opinion: stored } = tagAnalysis(analysis, { attribute, opinion })
  return { tag, stored, request: asked[0] }
}

describe('a picture with a second opinion', () => {
  it('is shown as the square of its garment, a JPEG of at most 768 pixels without metadata', async () => {
    const { request } = await tagWith({})
    const jpeg = request?.encodePicture() ?? new Uint8Array()
    const { kind, width, height } = openPicture(jpeg)
    expect([kind, width]).toEqual(['JPEG', height])
    expect(width).toBeLessThanOrEqual(768)
    expect(width).toBeGreaterThan(400)
    // Markers of EXIF, of comments and of colour profiles.
    for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + (jpeg[at + 2]! << 8) + jpeg[at + 3]!)
      expect([0xe0, 0xdb, 0xc0, 0xc4]).toContain(jpeg[at + 1])
  })

  it('is shown along the very outline that is drawn', async () => {
    const { outlines } = tagAnalysis(analysis, { attribute: {} })
    let shown: Uint8Array | undefined
    const ask = async ({ encodePicture }: OpinionRequest) => {
      shown = encodePicture()
      return undefined
    }
    await consult({ mode: 'always', ask }, lay.picture, analysis)
    expect(analysis.factor).toBeGreaterThan(1)
    expect(shown).toEqual(encodeSquare(lay.picture, outlines))
  })

  it('is asked about in the same words whatever the client supplied', async () => {
    const attribute = { Category: 'Shoes', Gender: "Women's", Material: 'Felt', Brand: 'Ann' }
    const { consultation, asked } = sureModel({})
    await tagPicture(bytes, { attribute: {}, consultation })
    await tagPicture(bytes, { attribute, consultation })
    const [plain, described] = asked.map(({ questions }) => questions)
    expect(described).toEqual(plain)
    expect(JSON.stringify(described)).not.toContain('Ann')
  })

  it('is what the network says where the opinion agrees, and keeps both', async () => {
    const { consultation } = sureModel({ 'Item Type': 'T-Shirt', shown: 'flat' })
    const tagged = await tagPicture(bytes, { attribute: {}, consultation })
    expect(tagged.tag['Item Type']).toBe('T-Shirt')
    const { opinion } = tagged.details
    expect(opinion).toMatchObject({ model: '@cf/cloudflare/clef', contradicts: [] })
    const { spoke, network, opinion: second } = opinion?.attributes['Item Type'] ?? {}
    expect(spoke).toBe('both')
    expect(network?.['T-Shirt']).toBeGreaterThan(0.5)
    expect(second?.['T-Shirt']).toBe(0.999)
  })

  it('takes few bytes of a garment, however much was asked', async () => {
    for (const type of ['T-Shirt', 'Dress', 'Coat']) {
      const { stored } = await tagWith({ 'Item Type': type, shown: 'worn' })
      expect(JSON.stringify(stored).length).toBeLessThan(1500)
    }
  })

  it('does not follow an opinion blindly', async () => {
    const { tag, stored } = await tagWith({ 'Item Type': 'Boots' })
    expect(tag['Item Type Confidence']).not.toBe('High')
    expect(stored?.attributes['Item Type']).toMatchObject({ spoke: 'network', opinion: { Boots: 0.999 } })
  })

  it('says which of the attributes of the upload it contradicts, and changes nothing for them', async () => {
    const choices = { 'Item Type': 'T-Shirt', 'Fabric Type': 'Jersey', shown: 'flat' }
    const attribute = { Category: 'Footwear', Material: 'Linen', Brand: 'Ann' }
    const { tag, stored } = await tagWith(choices, attribute)
    expect(tag).toMatchObject({ 'Item Type': 'T-Shirt', Category: 'Footwear', Material: 'Linen', Brand: 'Ann' })
    expect(stored?.contradicts).toContain('Category')
    const same = await tagWith(choices, { Category: 'Clothing', Gender: "Men's" })
    expect(same.stored?.contradicts).toEqual([])
  })

  it('is the same as without one where nobody answers', async () => {
    const consultation = { mode: 'always' as const, ask: async () => undefined }
    const [without, unanswered] = await Promise.all([
      tagPicture(bytes, { attribute: {} }),
      tagPicture(bytes, { attribute: {}, consultation }),
    ])
    expect(unanswered).toEqual(without)
    expect(without.details).not.toHaveProperty('opinion')
  })
})
