import { buildTop } from './build-top.ts'
import type { Garment, Rgb } from './garment.ts'
import type { Gender } from '../../../src/vision/taxonomy/item.ts'
import type { Random } from '../random.ts'
import type { TopShape } from './top-shape.ts'

export const tops = [
  'T-Shirt',
  'Polo Shirt',
  'Shirt',
  'Tank Top',
  'Sweatshirt',
  'Hoodie',
  'Jumper',
  'Cardigan',
  'Jacket',
  'Coat',
] as const

export type TopType = (typeof tops)[number] | 'Dress'

export function sampleTop(itemType: TopType, gender: Gender, random: Random, trimRgb: Rgb): Garment {
  const men = gender === "Men's"
  const { normal, between, chance, pick } = random
  const size = (menSizes: number, womenSizes: number, deviation: number) =>
    normal(men ? menSizes : womenSizes, deviation)
  const longSleeve = (length: number, spread = 3) => ({
    length: normal(length, spread),
    cuff: between(9, 12.5),
    angleDegrees: between(46, 72),
  })
  const shortSleeve = (length: number) => ({
    length: normal(length, 2),
    cuff: between(15, 18.5),
    angleDegrees: between(18, 36),
  })
  const sweatshirt = (hem: number) => ({
    chest: size(56, 53, 3.5),
    length: size(69, 63, 3),
    shoulder: size(50, 46, 3),
    hem: normal(hem, 2),
    sleeve: longSleeve(men ? 62 : 59),
    ribbed: true,
    texture: 'fleece' as const,
  })
  const top = (shape: Partial<TopShape> & Pick<TopShape, 'chest' | 'length' | 'shoulder'>): Garment =>
    buildTop({
      hem: shape.chest - between(-1, 2),
      neckWidth: between(16, 19),
      neckDepth: between(8, 11),
      neck: 'crew',
      front: 'none',
      texture: 'smooth',
      trimRgb,
      hemCurve: between(0, 0.8),
      ...shape,
    })
  switch (itemType) {
    case 'T-Shirt':
      return top({
        chest: normal(men ? 52 : 46, men ? 3 : 3.5),
        length: size(72, 63, 3),
        shoulder: size(45, 39, 2),
        sleeve: shortSleeve(men ? 21 : 17),
        neck: pick(['crew', 'crew', 'v', 'scoop']),
        neckDepth: between(8, 13),
      })
    case 'Polo Shirt':
      return top({
        chest: size(52, 46, 3),
        length: size(71, 62, 3),
        shoulder: size(44, 37, 2),
        sleeve: shortSleeve(men ? 22 : 17),
        neck: 'collar',
        neckDepth: between(5.5, 7.5),
        front: 'placket',
        buttons: pick([2, 3, 3]),
      })
    case 'Shirt':
      return top({
        chest: size(54, 49, 3),
        length: size(76, 66, 3),
        shoulder: size(46, 39, 2),
        sleeve: longSleeve(men ? 64 : 59),
        neck: 'collar',
        neckDepth: between(4.5, 6),
        front: 'buttons',
        buttons: pick([6, 7, 8]),
        pockets: chance(0.5) ? 'breast' : 'none',
        hemCurve: between(1, 4),
        texture: 'woven',
      })
    case 'Tank Top':
      return top({
        chest: size(49, 43, 3),
        length: size(70, 62, 3),
        shoulder: between(28, 33),
        neckWidth: between(19, 22),
        neckDepth: between(12, 17),
        neck: 'scoop',
      })
    case 'Sweatshirt':
      return top(sweatshirt(47))
    case 'Hoodie':
      return top({
        ...sweatshirt(48),
        neck: 'hood',
        front: chance(0.25) ? 'zip' : 'none',
        pockets: 'kangaroo',
      })
    case 'Jumper':
      return top({
        chest: size(54, 49, 3),
        length: size(68, 60, 3),
        shoulder: size(46, 40, 2.5),
        hem: size(48, 44, 2),
        sleeve: longSleeve(men ? 64 : 59),
        neck: pick(['crew', 'v', 'roll']),
        ribbed: true,
        texture: 'knit',
      })
    case 'Cardigan':
      return top({
        chest: size(54, 49, 3),
        length: size(68, 65, 4),
        shoulder: size(46, 39, 2),
        sleeve: longSleeve(men ? 64 : 59),
        neck: 'v',
        neckDepth: between(20, 27),
        front: 'buttons',
        buttons: pick([5, 5, 4]),
        ribbed: true,
        texture: 'knit',
      })
    case 'Jacket': {
      const front = pick(['zip', 'zip', 'buttons'] as const)
      return top({
        chest: size(57, 51, 3),
        length: size(69, 60, 3),
        shoulder: size(47, 41, 2),
        sleeve: longSleeve(men ? 64 : 60),
        neck: front === 'zip' ? pick(['stand', 'collar']) : 'collar',
        neckDepth: between(4.5, 6.5),
        front,
        buttons: 5,
        pockets: 'side',
        texture: pick(['woven', 'leather']),
      })
    }
    case 'Coat':
      return top({
        chest: size(58, 52, 3),
        length: size(97, 100, 7),
        shoulder: size(47, 41, 2),
        hem: size(62, 60, 3),
        sleeve: longSleeve(men ? 65 : 61),
        neck: 'lapel',
        neckDepth: between(19, 26),
        front: pick(['buttons', 'double']),
        buttons: pick([3, 4]),
        pockets: 'side',
        texture: 'woven',
      })
    case 'Dress':
      return sampleDress(top, random)
  }
}

function sampleDress(
  top: (shape: Partial<TopShape> & Pick<TopShape, 'chest' | 'length' | 'shoulder'>) => Garment,
  { normal, between, pick }: Random,
): Garment {
  const chest = normal(46, 3)
  const kind = pick(['none', 'none', 'short', 'long'])
  const length = normal(pick([88, 112, 138]), 4)
  const sleeve =
    kind === 'none'
      ? {}
      : {
          sleeve:
            kind === 'short'
              ? { length: normal(20, 2), cuff: between(14, 17), angleDegrees: between(20, 38) }
              : { length: normal(59, 2.5), cuff: between(9, 12), angleDegrees: between(46, 64) },
        }
  return top({
    chest,
    length,
    shoulder: kind === 'none' ? between(28, 33) : normal(38, 2),
    hem: chest + length * between(0.08, 0.34),
    waist: chest - between(5, 9),
    waistAt: 40 / length,
    neckWidth: between(18, 22),
    neckDepth: between(9, 16),
    neck: pick(['scoop', 'v', 'crew']),
    texture: 'smooth',
    hemCurve: between(0.5, 2.5),
    ...sleeve,
  })
}
