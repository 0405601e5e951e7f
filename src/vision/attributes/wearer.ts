import type { Gender } from '../taxonomy/item.ts'

export const wearers = ['men', 'women', 'unisex', 'boys', 'girls', 'children', 'babies'] as const

export type Wearer = (typeof wearers)[number]

/** Words for each wearer in five languages, folded. The first match wins, so that “baby girls” are babies. */
export const wearerWords: readonly (readonly [Wearer, string])[] = [
  ['babies', 'baby babies babys bebe bebes infant newborn toddler neonato neonata neonati'],
  ['boys', 'boy boys junge jungen garcon garcons nino ragazzo ragazzi bambino'],
  ['girls', 'girl girls madchen fille filles nina ninas ragazza ragazze bambina bambine'],
  ['children', 'kid kids child children childrens kinder kind enfant enfants ninos infantil bambini junior'],
  ['unisex', 'unisex unisexe mixte both all any'],
  [
    'men',
    'men man mans mens male males m gent gents gentleman gentlemen menswear herr herren mann manner homme hommes masculin hombre hombres caballero caballeros masculino uomo uomini maschile',
  ],
  [
    'women',
    'women woman womans womens female females f w lady ladys ladies ladieswear womenswear dame damen frau frauen femme femmes feminin mujer mujeres senora senoras femenino femenina donna donne femminile',
  ],
]

const wearersByWords = wearerWords.map(([wearer, words]) => [wearer, new Set(words.split(' '))] as const)

/** Parses a client's gender, such as `MALE` or `Damen`. Returns undefined for anything else. */
export function readWearer(text: string): Wearer | undefined {
  const words = text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/['’´`]s?\b/g, '')
    .split(/[^a-z]+/)
  const [first, second] = wearersByWords.flatMap(([wearer, known]) =>
    words.some((word) => known.has(word)) ? [wearer] : [],
  )
  if (first === 'boys' && second === 'girls') return 'children'
  return first === 'men' && second === 'women' ? 'unisex' : first
}

export function readGender(text: string): Gender | undefined {
  const wearer = readWearer(text)
  if (wearer === 'men') return "Men's"
  return wearer === 'women' ? "Women's" : undefined
}
