import { expect, it } from 'vitest'
import { packOpinion, storedOpinionSchema } from '../../src/second-opinion/pack-opinion.ts'
import type { StoredOpinion } from '../../src/vision/opinion.ts'

const opinion: StoredOpinion = {
  model: '@cf/cloudflare/clef-flash',
  weights: '2026-11-22, 1200 garments',
  answers: {
    'Item Type': [
      [550, 380, 40, 0],
      [60, 1000, 10, 3],
    ],
    'Fabric Type': [[503, 252, 47], [152, 101, 601], ['Sweatshirt Fleece']],
    Neckline: [
      [521, 0, 0],
      [0, 852, 48],
      ['Crew', 'V-Neck'],
    ],
    shown: [[984], [900]],
  },
  contradicts: ['Category', 'Material'],
}

const stored = (value: unknown) => storedOpinionSchema.parse(JSON.parse(JSON.stringify(value)))

it('a second opinion is read as it was stored, in less than half of the bytes', () => {
  const packed = packOpinion(opinion)
  expect(stored(packed)).toEqual(opinion)
  expect(JSON.stringify(packed).length).toBeLessThan(JSON.stringify(opinion).length / 2)
})

it.each<Partial<StoredOpinion>>([
  { model: 'clef-flash' },
  { model: 'other/model', contradicts: [] },
  { answers: {} },
  { answers: { 'Heel Height': [[1, 2], [3, 4], ['High']], Fit: [[999], [36]] } },
])('a second opinion with %j is read as it was stored', (changes) => {
  const changed = { ...opinion, ...changes }
  expect(stored(packOpinion(changed))).toEqual(changed)
})

it('a second opinion that was stored in full is read', () => expect(stored(opinion)).toEqual(opinion))

it.each([{ ...opinion, answers: 'x' }, ['a', 'b', 'c', 'd'], 'x', null])(
  'what is stored as %j is no second opinion',
  (value) => expect(storedOpinionSchema.safeParse(value).success).toBe(false),
)
