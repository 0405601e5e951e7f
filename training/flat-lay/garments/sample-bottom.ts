import { buildLegs } from './build-legs.ts'
import { buildSkirt } from './build-skirt.ts'
import type { Garment, Rgb } from './garment.ts'
import type { Gender } from '../../../src/vision/taxonomy/item.ts'
import type { Random } from '../random.ts'

export const bottoms = ['Trousers', 'Jeans', 'Shorts', 'Skirt'] as const

export type BottomType = (typeof bottoms)[number]

export function sampleBottom(itemType: BottomType, gender: Gender, random: Random, trimRgb: Rgb): Garment {
  const men = gender === "Men's"
  const { normal, between, pick } = random
  switch (itemType) {
    case 'Trousers':
    case 'Jeans':
    case 'Shorts': {
      const [isShort, jeans] = [itemType === 'Shorts', itemType === 'Jeans']
      const waist = normal(men ? 42.5 : 38, 2)
      return buildLegs({
        waist,
        hip: waist + between(7, 10),
        rise: normal(28, 1.5),
        inseam: isShort ? (men ? normal(20, 2.5) : normal(11, 2)) : normal(men ? 79 : 76, 3),
        legOpening: isShort ? normal(29, 1.5) : normal(19, 2.5),
        spreadDegrees: isShort ? between(4, 9) : between(1.5, 5),
        jeans,
        texture: jeans ? 'denim' : 'woven',
        trimRgb: jeans ? [170, 150, 120] : trimRgb,
      })
    }
    case 'Skirt': {
      const waist = normal(36, 2)
      const length = normal(pick([42, 60, 72, 90]), 3)
      return buildSkirt({
        waist,
        hip: waist + between(10, 14),
        hem: waist + 14 + length * between(0.06, 0.5),
        length,
        texture: pick(['smooth', 'woven']),
        pleats: pick([0, 0, 7]),
      })
    }
  }
}
