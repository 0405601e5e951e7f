import { buildLegs } from './build-legs.ts'
import { buildSkirt } from './build-skirt.ts'
import type { Garment, Rgb } from './garment.ts'
import type { Random } from '../random.ts'

export type BottomType = 'Trousers' | 'Jeans' | 'Shorts' | 'Skirt'

export function sampleBottom(itemType: BottomType, gender: "Men's" | "Women's", random: Random, trimRgb: Rgb): Garment {
  const men = gender === "Men's"
  const { normal, between, pick } = random
  switch (itemType) {
    case 'Trousers':
    case 'Jeans': {
      const waist = normal(men ? 42.5 : 38, 2)
      return buildLegs({
        waist,
        hip: waist + between(7, 10),
        rise: normal(28, 1.5),
        inseam: normal(men ? 79 : 76, 3),
        legOpening: normal(19, 2.5),
        spreadDegrees: between(1.5, 5),
        jeans: itemType === 'Jeans',
        texture: itemType === 'Jeans' ? 'denim' : 'woven',
        trimRgb: itemType === 'Jeans' ? [170, 150, 120] : trimRgb,
      })
    }
    case 'Shorts': {
      const waist = normal(men ? 42.5 : 38, 2)
      return buildLegs({
        waist,
        hip: waist + between(7, 10),
        rise: normal(28, 1.5),
        inseam: men ? normal(20, 2.5) : normal(11, 2),
        legOpening: normal(29, 1.5),
        spreadDegrees: between(4, 9),
        jeans: false,
        texture: 'woven',
        trimRgb,
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
        trimRgb,
        pleats: pick([0, 0, 7]),
      })
    }
  }
}
