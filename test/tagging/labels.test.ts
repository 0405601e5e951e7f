import { copyKey } from '../../src/garments/pictures/stored-copy.ts'
import { expect, it } from 'vitest'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../src/garments/corrections/store-correction.ts'
import { deleteGarment } from '../../src/garments/delete-garment.ts'
import { retagStatement } from '../../src/garments/transitions.ts'
import { findStored } from '../../src/accounts/quotas.ts'
import { getGarment, toGarmentResponse } from '../../src/garments/garment.ts'
import { pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import type { LabelReading } from '../../src/labels/read-label.ts'
import { bindings, someone } from '../service.ts'
import { db, newScene } from './scene.ts'

const crop = new Uint8Array([0xff, 0xd8, 0xff, 0xd9])
const read = (value: string, confidence: 'High' | 'Medium' | 'Low') => ({
  value,
  confidence,
  box: [10, 20, 110, 40] as const,
  crop,
})

const funday: LabelReading = {
  hasText: true,
  size: [3000, 4000],
  values: {
    Brand: read('Funday', 'High'),
    Size: read('M', 'Medium'),
    Material: read('80% Cotton, 20% Polyester', 'High'),
    'Country of Origin': read('Turkey', 'Low'),
  },
}

const front = 'https://a.example/front.jpg'
const labelAt = (name: string) => pictureAt(`https://a.example/${name}.jpg`, 'label')

/** A tagged garment with pictures of labels, and what its labels say, in their order. */
async function tagWithLabels(labels: readonly LabelReading[], attribute: Readonly<Record<string, string>> = {}) {
  const scene = await newScene(
    front,
    attribute,
    labels.map((_, i) => labelAt(String(i))),
  )
  const left = [...labels]
  const run = {
    async readLabel() {
      const next = left.shift()
      if (next === undefined) throw new Error('A third label was read')
      return next
    },
    examinePicture: async () => ({ kind: 'label', size: [1, 1] }) as const,
  }
  await scene.tag(run)
  const { tenantId } = scene
  const answer = async () => toGarmentResponse(await getGarment(db, tenantId, 'g'), 'https://s.example')
  return { ...scene, run, answer }
}

const objectsOf = async (tenantId: string) => (await bindings.PICTURES.list({ prefix: `copies/${tenantId}/` })).objects

it('answers what the label says, with the crop that proves it', async () => {
  const { answer } = await tagWithLabels([funday])
  const { label, tag, images, notes } = await answer()
  expect(label).toMatchObject({
    Brand: 'Funday',
    'Brand Confidence': 'High',
    Size: 'M',
    'Size Confidence': 'Medium',
    Material: '80% Cotton, 20% Polyester',
    'Country of Origin': 'Turkey',
    'Country of Origin Confidence': 'Low',
  })
  expect(label?.proof.Size).toMatchObject({ id: images[1]?.id, box: [10, 20, 110, 40] })
  expect(tag).toMatchObject({ Brand: 'Funday', 'Brand Confidence': 'High', Material: '80% Cotton, 20% Polyester' })
  expect(images[1]).toMatchObject({ kind: 'label', width: 3000, annotated_img: '' })
  const { pathname } = new URL(label?.proof.Size?.crop ?? '')
  expect(pathname).toMatch(/^\/garment-tagging\/copy\/[\w-]+\/[\da-f]{32}$/)
  const stored = await bindings.PICTURES.get(
    copyKey(pathname.split('/').at(-2) ?? '', pathname.split('/').at(-1) ?? ''),
  )
  expect(await stored?.bytes()).toEqual(crop)
  expect(notes.filter((note) => note.includes('label'))).toEqual([])
})

it('answers null without a label', async () => {
  const { answer } = await tagWithLabels([])
  expect((await answer()).label).toBeNull()
})

it("keeps the client's values, and notes what the label contradicts", async () => {
  const { answer } = await tagWithLabels([funday], { Brand: 'Zara', Material: 'wool', Size: 'L' })
  const { tag, notes } = await answer()
  expect(tag).toMatchObject({ Brand: 'Zara', Material: 'wool' })
  expect(tag).not.toHaveProperty('Brand Confidence')
  expect(notes).toEqual(
    expect.arrayContaining([
      'The label says Funday, but Brand says Zara.',
      'The label says M, but Size says L.',
      'The label says 80 % cotton, 20 % polyester, but Material says wool.',
    ]),
  )
})

it.each(['Baumwolle', 'Coton et polyester', 'algodón', 'Cotone 80 %, poliestere 20 %', 'Baumwollmischung'])(
  'notes nothing if the client says the same in another language: %s',
  async (Material) => {
    const { answer } = await tagWithLabels([funday], { Material })
    expect((await answer()).notes.filter((note) => note.startsWith('The label'))).toEqual([])
  },
)

it.each(['Wolle', 'laine', 'Seda', 'pura lana', 'Leinen'])(
  'notes another fibre in another language: %s',
  async (Material) => {
    const { answer } = await tagWithLabels([funday], { Material })
    expect((await answer()).notes).toContain(
      `The label says 80 % cotton, 20 % polyester, but Material says ${Material}.`,
    )
  },
)

it("fills the garment's size, but not its listing, after a correction and the client's value", async () => {
  const sizesOf = async (attribute: Readonly<Record<string, string>>, labels = [funday]) => {
    const { size, listing } = await (await tagWithLabels(labels, attribute)).answer()
    return [size?.value, listing.size]
  }
  expect(await sizesOf({})).toEqual(['M', ''])
  expect(await sizesOf({ Size: 'L' })).toEqual(['L', 'L'])
  const unsure: LabelReading = { ...funday, values: { Size: read('M', 'Low') } }
  expect(await sizesOf({}, [unsure])).toEqual([undefined, ''])
})

it('notes nothing if the client says the same in other words', async () => {
  const { answer } = await tagWithLabels([funday], { Brand: 'FUNDAY', Material: 'Cotton', Size: 'm' })
  expect((await answer()).notes.filter((note) => note.startsWith('The label'))).toEqual([])
})

it('takes the most certain value of two labels, and only lists further ones', async () => {
  const other: LabelReading = { ...funday, values: { Size: read('L', 'High'), Brand: read('Zara', 'Medium') } }
  const { answer } = await tagWithLabels([funday, other, other])
  const { label, images } = await answer()
  expect(label).toMatchObject({ Brand: 'Funday', Size: 'L', 'Size Confidence': 'High' })
  expect(label?.proof.Size?.id).toBe(images[2]?.id)
})

it('suggests values of Low confidence only', async () => {
  const doubtful: LabelReading = { ...funday, values: { Brand: read('LARKSPUR', 'Low') } }
  const { answer } = await tagWithLabels([doubtful])
  const { label, tag } = await answer()
  expect(label).toMatchObject({ Brand: 'LARKSPUR', 'Brand Confidence': 'Low' })
  expect(tag).not.toHaveProperty('Brand')
})

it('notes that no text could be read on a label', async () => {
  const { answer } = await tagWithLabels([{ hasText: false, size: [10, 10], values: {} }])
  const { label, notes } = await answer()
  expect(label).toEqual({ proof: {} })
  expect(notes).toContain('No text could be read in the image of the label; take the photograph from nearer.')
})

it('answers corrected values as High, and takes corrections back', async () => {
  const { tenantId, answer, clock } = await tagWithLabels([funday])
  const correct = async (tag: Readonly<Record<string, string | null>>) =>
    await correctGarment(
      correctionDeps({ env: bindings, db }),
      tenantId,
      { uuid: 'g', patch: { tag, measurements: {} }, by: { kind: 'member', id: 'ann', name: 'Ann' } },
      clock.now,
    )
  await correct({ Size: 'L', Brand: 'Zara' })
  const corrected = await answer()
  expect(corrected.size?.value).toBe('L')
  expect(corrected.label).toMatchObject({ Size: 'L', 'Size Confidence': 'High', Brand: 'Zara' })
  expect(corrected.tag).toMatchObject({ Brand: 'Zara' })
  expect(corrected.tag).not.toHaveProperty('Size')
  expect(corrected.tag).not.toHaveProperty('Brand Confidence')
  expect(corrected.corrected).toEqual(expect.arrayContaining(['Size', 'Brand']))
  await correct({ Size: null })
  expect((await answer()).label).toMatchObject({ Size: 'M', 'Size Confidence': 'Medium' })
})

it("counts the crops against the tenant's quota of file bytes until they are removed", async () => {
  const { tenantId, tag, run, deps, clock } = await tagWithLabels([funday])
  const used = async () => (await findStored(db, tenantId)).file_bytes
  expect(await used()).toBe(4 * crop.length)
  await retagStatement(db, [await getGarment(db, tenantId, 'g')], clock.now)
  await tag({ ...run, readLabel: async () => ({ ...funday, values: { Size: read('M', 'High') } }) })
  expect(await used()).toBe(crop.length)
  await deleteGarment(deps, tenantId, 'g', clock.now, someone)
  expect(await used()).toBe(0)
})

it('removes the crops with the garment', async () => {
  const { tenantId, deps, clock } = await tagWithLabels([funday])
  // The copy of the garment's picture, and the crops of three values.
  expect((await objectsOf(tenantId)).length).toBeGreaterThan(3)
  await deleteGarment(deps, tenantId, 'g', clock.now, someone)
  expect(await objectsOf(tenantId)).toEqual([])
})
