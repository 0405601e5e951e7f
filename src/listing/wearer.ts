/** Whom a garment is for. */
export const wearers = ['men', 'women', 'unisex', 'boys', 'girls', 'children', 'babies'] as const

export type Wearer = (typeof wearers)[number]

/** Words of the five languages, in lower case, without accents and without a possessive `s`. */
const wordsOf: Readonly<Record<Exclude<Wearer, 'unisex'>, string>> = {
  men: 'men man men mens male m gent gents gentleman gentlemen menswear herr herren mann manner homme hommes masculin hombre hombres caballero caballeros masculino uomo uomini maschile',
  women:
    'women woman womens female f w lady ladies ladieswear womenswear dame damen frau frauen femme femmes feminin mujer mujeres senora senoras femenino femenina donna donne femminile',
  boys: 'boy boys junge jungen garcon garcons nino ragazzo ragazzi bambino',
  girls: 'girl girls madchen fille filles nina ninas ragazza ragazze bambina bambine',
  children: 'kid kids child children childrens kinder kind enfant enfants ninos infantil bambini junior',
  babies: 'baby babies babys bebe bebes infant newborn toddler neonato neonata neonati',
}

const unisexWords = new Set(['unisex', 'unisexe', 'mixte', 'both', 'all', 'any'])

const wearerOf = new Map(
  Object.entries(wordsOf).flatMap(([wearer, words]) => words.split(' ').map((word) => [word, wearer as Wearer])),
)

/** What clients write for gender: Men's, MALE, Ladies, Damen, Femme ... Undefined for anything else. */
export function readWearer(text: string): Wearer | undefined {
  const words = text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/['’´`]s?\b/g, '')
    .split(/[^a-z]+/)
  if (words.some((word) => unisexWords.has(word))) return 'unisex'
  const found = [...new Set(words.map((word) => wearerOf.get(word)).filter((wearer) => wearer !== undefined))]
  // “Baby girls” are babies; men and women together are everybody.
  if (found.includes('babies')) return 'babies'
  if (found.includes('boys') && found.includes('girls')) return 'children'
  return found.includes('men') && found.includes('women') ? 'unisex' : found.at(-1)
}
