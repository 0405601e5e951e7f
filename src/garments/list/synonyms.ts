import { languages, listingWords } from '../listing-texts/write-listing.ts'
import { wearers } from '../../vision/attributes/wearer.ts'
import { type ItemType, itemTypes } from '../../vision/taxonomy/item-types.ts'
import { foldWords, type Mark, marked, marks } from './search-words.ts'

/** Words that say nothing of a garment, in the phrases of the listings and in searches. */
export const fillers: ReadonlySet<string> = new Set(
  'a ai alla and aspect avec con da de del della di du e effetto efecto en et for fur il in la le les look mit of par para per pour the und with y'.split(
    ' ',
  ),
)

/** Before a size. */
export const sizeWords: ReadonlySet<string> = new Set(['size', 'sz', 'grosse', 'taille', 'talla', 'taglia'])

/** Sizes in letters, which would begin too many other words. */
export const letterSizes: ReadonlySet<string> = new Set('xxs xs s m l xl xxl xxxl'.split(' '))

/** What people type beside the words of the listings, in any of their languages. */
const moreTypes: Readonly<Record<string, string>> = {
  tee: 'T-Shirt',
  tees: 'T-Shirt',
  remera: 'T-Shirt',
  playera: 'T-Shirt',
  maglietta: 'T-Shirt',
  longsleeve: 'Long-Sleeve T-Shirt',
  vest: 'Tank Top, Waistcoat',
  tank: 'Tank Top',
  top: 'Tank Top, T-Shirt, Blouse, Bodysuit',
  oberteil: 'Tank Top, T-Shirt, Blouse, Bodysuit',
  polo: 'Polo Shirt',
  onesie: 'Bodysuit, Jumpsuit',
  sweater: 'Jumper, Sweatshirt',
  pullover: 'Jumper, Sweatshirt',
  pulli: 'Jumper, Sweatshirt',
  strickpullover: 'Jumper',
  maglia: 'Jumper',
  sweat: 'Sweatshirt, Hoodie',
  hoody: 'Hoodie',
  kapuzenpullover: 'Hoodie',
  blouson: 'Jacket',
  cazadora: 'Jacket',
  parka: 'Coat, Jacket',
  anorak: 'Jacket',
  giubbotto: 'Jacket',
  sakko: 'Blazer',
  americana: 'Blazer',
  gilet: 'Waistcoat, Cardigan',
  gown: 'Dress',
  frock: 'Dress',
  abito: 'Dress',
  overall: 'Jumpsuit',
  overalls: 'Jumpsuit',
  dungarees: 'Jumpsuit',
  romper: 'Jumpsuit',
  tuta: 'Jumpsuit, Joggers',
  pants: 'Trousers, Joggers',
  chinos: 'Trousers',
  slacks: 'Trousers',
  sweatpants: 'Joggers',
  jogging: 'Joggers',
  denims: 'Jeans',
  tejanos: 'Jeans',
  shoe: 'Shoes, Trainers, Boots, Sandals, Heels, Slippers',
  schuhe: 'Shoes, Trainers, Boots, Sandals, Heels, Slippers',
  chaussures: 'Shoes, Trainers, Boots, Sandals, Heels, Slippers',
  zapatos: 'Shoes, Trainers, Boots, Sandals, Heels, Slippers',
  scarpe: 'Shoes, Trainers, Boots, Sandals, Heels, Slippers',
  loafers: 'Shoes',
  sneakers: 'Trainers',
  turnschuhe: 'Trainers',
  tennis: 'Trainers',
  deportivas: 'Trainers',
  bottines: 'Boots',
  botines: 'Boots',
  flipflops: 'Sandals',
  pumps: 'Heels',
  tacones: 'Heels',
  cap: 'Hat',
  beanie: 'Hat',
  mutze: 'Hat',
  hut: 'Hat',
  casquette: 'Hat',
  bonnet: 'Hat',
  gorra: 'Hat',
  sombrero: 'Hat',
  berretto: 'Hat',
  handbag: 'Bag',
  backpack: 'Bag',
  rucksack: 'Bag',
  zaino: 'Bag',
  mochila: 'Bag',
}

const moreColours: Readonly<Record<string, string>> = {
  gray: 'Grey, Light Grey',
  blanche: 'White, Off White',
  verte: 'Green',
  bleue: 'Blue',
  grise: 'Grey',
  violette: 'Purple',
  marrone: 'Brown',
  brune: 'Brown',
  brun: 'Brown',
  morado: 'Purple',
  naranja: 'Orange',
  arancione: 'Orange',
  ivory: 'Off White, Cream',
  maroon: 'Burgundy',
  dunkelblau: 'Navy',
  violet: 'Purple',
}

const morePatterns: Readonly<Record<string, string>> = {
  stripes: 'Striped',
  stripy: 'Striped',
  gestreift: 'Striped',
  raye: 'Striped',
  rayado: 'Striped',
  check: 'Checked',
  plaid: 'Checked',
  tartan: 'Checked',
  kariert: 'Checked',
  dots: 'Dotted',
  polka: 'Dotted',
  gepunktet: 'Dotted',
  flowers: 'Floral',
  flowery: 'Floral',
  geblumt: 'Floral',
  fleuri: 'Floral',
  floreale: 'Floral',
  leopard: 'Animal',
  camo: 'Camouflage',
  print: 'Printed, Graphic',
}

const moreFabrics: Readonly<Record<string, string>> = {
  cord: 'Corduroy',
  leder: 'Leather',
  cuero: 'Leather',
  jean: 'Denim',
  wildleder: 'Suede',
  woolen: 'Wool',
  woollen: 'Wool',
}

/** By a word or a phrase of any language: the marked values that it stands for. */
const meanings = new Map<string, Set<string>>()

function add(phrase: string, value: string, mark: Mark): void {
  const known = meanings.get(phrase) ?? new Set()
  meanings.set(phrase, known.add(marked(value, mark)))
}

/** A phrase, and the word that says what it is of: the last one in English and German, otherwise the first. */
function addPhrase(text: string, value: string, mark: Mark, headsStand: 'first' | 'last'): void {
  const all = foldWords(text).filter((word) => !fillers.has(word))
  const head = headsStand === 'last' ? all.at(-1) : all[0]
  if (head === undefined) return
  add(all.join(' '), value, mark)
  add(all.join(''), value, mark)
  add(head, value, mark)
  // `Leinenoptik`
  if (head.endsWith('optik')) add(head.slice(0, -'optik'.length), value, mark)
}

for (const language of languages) {
  const { itemTypes: types, values, wearers: people } = listingWords[language]
  const headsStand = language === 'en' || language === 'de' ? 'last' : 'first'
  for (const type of itemTypes) addPhrase(types[type], type, marks.itemType, headsStand)
  for (const [attribute, mark] of [
    ['Colour', marks.colour],
    ['Pattern', marks.pattern],
    ['Fabric Type', marks.fabric],
  ] as const)
    for (const [value, text] of Object.entries(values[attribute])) {
      addPhrase(text, value, mark, headsStand)
      addPhrase(value, value, mark, 'last')
    }
  for (const wearer of wearers) {
    addPhrase(wearer, wearer, marks.gender, 'last')
    addPhrase(people[wearer], wearer, marks.gender, 'first')
  }
}
for (const [more, mark] of [
  [moreTypes, marks.itemType],
  [moreColours, marks.colour],
  [morePatterns, marks.pattern],
  [moreFabrics, marks.fabric],
] as const)
  for (const [word, list] of Object.entries(more)) for (const value of list.split(', ')) add(word, value, mark)

const minStem = 3

/** Without the ending of a plural, a case or a gender, as it was typed: `Kleider`, `robes`, `vestiti`, `rotes`. */
function stems(word: string): string[] {
  const singular = word.replace(/(?<!s)[snrm]$/, '')
  return [word, singular, ...[word, singular].map(withoutVowel)].filter(
    (stem, i, all) => stem.length >= minStem && all.indexOf(stem) === i,
  )
}

const withoutVowel = (word: string) => word.replace(/[aeiou]$/, '')

const meaningsByStem = new Map<string, Set<string>>()
for (const [phrase, values] of meanings)
  for (const stem of new Set([phrase, withoutVowel(phrase), phrase.replace(/(?<!s)s$/, '')]))
    if (stem === phrase || stem.length >= minStem)
      meaningsByStem.set(stem, new Set([...(meaningsByStem.get(stem) ?? []), ...values]))

/** The marked values that a folded word or phrase stands for in any language of the listings; none if unknown. */
export function meaningsOf(phrase: string): ReadonlySet<string> {
  const exact = meanings.get(phrase)
  if (exact !== undefined || phrase.includes(' ')) return exact ?? new Set()
  for (const stem of stems(phrase)) {
    const found = meaningsByStem.get(stem)
    if (found !== undefined) return found
  }
  return new Set()
}

/** The item types that a text such as `Women > Trousers` names in any language of the listings. */
export function namedTypes(text: string): ItemType[] {
  const words = foldWords(text)
  const phrases = words.flatMap((_, start) => [1, 2, 3].map((length) => words.slice(start, start + length).join(' ')))
  const found = new Set(phrases.flatMap((phrase) => [...meaningsOf(phrase)]))
  return itemTypes.filter((type) => found.has(marked(type, marks.itemType)))
}
