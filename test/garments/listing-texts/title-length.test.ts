import { describe, expect, it } from 'vitest'
import { languages } from '../../../src/garments/listing-texts/listing-words.ts'
import { writeTitle } from '../../../src/garments/listing-texts/write-listing.ts'
import { parseSize } from '../../../src/garments/sizes/parse-size.ts'

/** Type, colour, pattern, fit, closure, neckline, sleeve and fabric of common garments, empty if not applicable. */
const garments = `
T-Shirt|White|Plain|Regular|Pullover|Crew|Short|Jersey
T-Shirt|Black|Graphic|Oversized|Pullover|Crew|Short|Jersey
Long-Sleeve T-Shirt|Navy|Striped|Slim|Pullover|Crew|Long|Jersey
Tank Top|Pink|Plain|Slim|Pullover|Scoop|None|Rib Knit
Polo Shirt|Green|Plain|Regular|Button|Collar|Short|Jersey
Bodysuit|Black|Plain|Slim|Snap|Scoop|Long|Jersey
Shirt|Light Blue|Striped|Regular|Button|Collar|Long|Poplin
Shirt|White|Plain|Slim|Button|Collar|Long|Poplin
Shirt|Red|Checked|Relaxed|Button|Collar|Long|Flannel
Blouse|Cream|Floral|Relaxed|Button|V-Neck|Long|Chiffon
Blouse|Navy|Dotted|Regular|Tie|High|Three-Quarter|Chiffon
Jumper|Grey|Plain|Relaxed|Pullover|Crew|Long|Fine Knit
Jumper|Burgundy|Knit|Oversized|Pullover|High|Long|Chunky Knit
Jumper|Beige|Striped|Regular|Pullover|V-Neck|Long|Fine Knit
Cardigan|Camel|Plain|Relaxed|Button|V-Neck|Long|Chunky Knit
Cardigan|Black|Plain|Regular|Open Front||Long|Fine Knit
Sweatshirt|Grey|Graphic|Relaxed|Pullover|Crew|Long|Fleece
Hoodie|Black|Plain|Oversized|Pullover|Hood|Long|Fleece
Hoodie|Olive|Plain|Regular|Zip|Hood|Long|Fleece
Jacket|Denim Blue|Plain|Regular|Button|Collar|Long|Denim
Jacket|Black|Plain|Slim|Zip|Collar|Long|Leather
Jacket|Navy|Plain|Regular|Zip|Hood|Long|Quilted
Jacket|Olive|Camouflage|Relaxed|Zip|Hood|Long|
Coat|Camel|Plain|Oversized|Button|Lapel|Long|Wool
Coat|Black|Plain|Regular|Zip|Hood|Long|Quilted
Coat|Grey|Checked|Straight|Button|Lapel|Long|Wool
Blazer|Navy|Plain|Slim|Button|Lapel|Long|
Blazer|Grey|Checked|Oversized|Button|Lapel|Long|Wool
Waistcoat|Black|Plain|Slim|Button|V-Neck|None|
Dress|Red|Floral|Fit & Flare|Zip|V-Neck|Short|
Dress|Black|Plain|Bodycon|Pullover|Square|None|Jersey
Dress|Blue|Striped|Shift|Button|Collar|Long|Poplin
Dress|Green|Plain|A-Line|Zip|Off-Shoulder|Three-Quarter|Satin
Jumpsuit|Black|Plain|Wide Leg|Zip|V-Neck|None|
Skirt|Denim Blue|Plain|A-Line|Button & Zip|||Denim
Skirt|Black|Plain|Pencil|Zip|||
Skirt|Pink|Floral|Full|Elasticated|||Chiffon
Trousers|Beige|Plain|Wide Leg|Button & Zip|||Linen
Trousers|Navy|Plain|Slim|Button & Zip|||
Trousers|Grey|Checked|Tapered|Button & Zip|||Wool
Jeans|Blue|Plain|Skinny|Button & Zip|||Denim
Jeans|Light Blue|Plain|Straight|Button|||Denim
Jeans|Black|Plain|Wide Leg|Button & Zip|||Denim
Jeans|Denim Blue|Plain|Flared|Button & Zip|||Denim
Joggers|Grey|Plain|Tapered|Drawstring|||Fleece
Leggings|Black|Plain|Skinny|Elasticated|||Jersey
Leggings|Purple|Printed|Skinny|Elasticated|||
Shorts|Khaki|Plain|Regular|Button & Zip|||
Shorts|Blue|Floral|Relaxed|Drawstring|||
Shoes|Brown|Plain||Lace-Up|||Leather
Trainers|White|Colour Block||Lace-Up|||Leather
Boots|Black|Plain||Zip|||Leather
Boots|Tan|Plain||Slip-On|||Suede
Sandals|Tan|Plain||Buckle|||Leather
Heels|Red|Plain||Slip-On|||Satin
Hat|Grey|Knit|||||Chunky Knit
Bag|Black|Plain||Zip|||Leather
Belt|Brown|Plain||Buckle|||Leather
Scarf|Multi|Checked|||||Wool
Dress|White|Floral|A-Line|Button|V-Neck|Short|Linen`
  .trim()
  .split('\n')

const names = ['Item Type', 'Colour', 'Pattern', 'Fit', 'Closure', 'Neckline', 'Sleeve', 'Fabric Type'] as const
const sellers = [
  ['Zara', 'M', "Women's"],
  ['COS', 'UK 12', "Women's"],
  ['Nike', 'L', "Men's"],
  ['Massimo Dutti', '38', "Women's"],
  ['Levi’s', 'W32 L34', "Men's"],
  ['H&M', 'XS', "Women's"],
] as const

interface Facts {
  readonly isKnown: boolean
  readonly language?: (typeof languages)[number]
}

function titles({ isKnown, language = 'en' }: Facts): string[] {
  return garments.map((line, place) => {
    const values = line.split('|')
    const tag = Object.fromEntries(names.flatMap((name, i) => (values[i] ? [[name, values[i]]] : [])))
    const [brand = '', size = '', gender = ''] = isKnown ? (sellers[place % sellers.length] ?? []) : []
    const facts = {
      tag: { ...tag, ...(isKnown && { Gender: gender }) },
      measurements: {},
      isEstimated: true,
      own: { title: '', description: '', brand, size: size === '' ? null : parseSize(size), condition: '' },
    }
    return writeTitle(facts, language, 80)
  })
}

const median = (texts: readonly string[]) => {
  const lengths = texts.map(({ length }) => length).toSorted((a, b) => a - b)
  return ((lengths[29] ?? 0) + (lengths[30] ?? 0)) / 2
}

describe('titles of 60 garments for eBay', () => {
  it.each(languages)('use their length in %s, and none is twice', (language) => {
    const [known, unknown] = [titles({ isKnown: true, language }), titles({ isKnown: false, language })]
    expect(garments).toHaveLength(60)
    expect([median(known) >= 55, median(unknown) >= 40]).toEqual([true, true])
    for (const all of [known, unknown]) {
      expect(all.filter((title, i) => all.indexOf(title) !== i)).toEqual([])
      expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(80)
    }
  })
})
