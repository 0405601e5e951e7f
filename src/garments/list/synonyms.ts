import { languages, listingWords } from '../listing-texts/listing-words.ts'
import { wearers, wearerWords } from '../../vision/attributes/wearer.ts'
import { type ItemType, itemTypes } from '../../vision/taxonomy/item-types.ts'
import { foldWords, type Mark, marked, marks } from './search-words.ts'

/** Words that a search ignores, and that phrases of the listings may contain. */
export const fillers: ReadonlySet<string> = new Set(
  'a ai alla and aspect avec con da de del della di du e effetto efecto en et for fur il in la le les look mit of par para per pour the und with y'.split(
    ' ',
  ),
)

export const sizeWords: ReadonlySet<string> = new Set(['size', 'sz', 'grosse', 'groesse', 'taille', 'talla', 'taglia'])

/** Letter sizes, which match whole words only, because many words begin with them. */
export const letterSizes: ReadonlySet<string> = new Set('xxs xs s m l xl xxl xxxl'.split(' '))

/** Words that people type besides those of the listings, in any language, by their possible meaning. */
const moreTypes: Readonly<Record<string, string>> = {
  'T-Shirt': 'tee tees remera playera maglietta top oberteil',
  'Long-Sleeve T-Shirt': 'longsleeve',
  'Tank Top': 'vest tank top oberteil',
  Waistcoat: 'vest gilet',
  Blouse: 'top oberteil',
  Bodysuit: 'top oberteil onesie',
  'Polo Shirt': 'polo',
  Jumpsuit: 'onesie overall overalls dungarees romper tuta',
  Jumper: 'sweater pullover pulli strickpullover maglia',
  Sweatshirt: 'sweater pullover pulli sweat',
  Hoodie: 'sweat hoody kapuzenpullover',
  Jacket: 'blouson cazadora parka anorak giubbotto',
  Coat: 'parka',
  Blazer: 'sakko americana',
  Cardigan: 'gilet',
  Dress: 'gown frock abito',
  Joggers: 'tuta pants sweatpants jogging',
  Trousers: 'pants chinos slacks',
  Jeans: 'denims tejanos jeanshose jeanshosen',
  Shoes: 'loafers',
  Trainers: 'sneakers turnschuhe tennis deportivas',
  Boots: 'bottines botines',
  Sandals: 'flipflops',
  Heels: 'pumps tacones',
  Hat: 'cap beanie mutze hut casquette bonnet gorra sombrero berretto',
  Bag: 'handbag backpack rucksack zaino mochila',
}

const moreColours: Readonly<Record<string, string>> = {
  Grey: 'gray grise',
  'Light Grey': 'gray',
  White: 'blanche',
  'Off White': 'blanche ivory',
  Green: 'verte',
  Blue: 'bleue',
  Purple: 'violette morado violet',
  Brown: 'marrone brune brun',
  Orange: 'naranja arancione',
  Cream: 'ivory',
  Burgundy: 'maroon weinrot dunkelrot',
  Navy: 'dunkelblau',
  Charcoal: 'dunkelgrau',
}

const morePatterns: Readonly<Record<string, string>> = {
  Striped: 'stripes stripy gestreift streifen raye rayures rayado rayas righe rigato',
  Checked: 'check plaid tartan gingham kariert karo karos carreaux cuadros quadri quadretti',
  Dotted: 'dots spots spotted polka gepunktet punkte pois lunares',
  Floral: 'flower flowers flowery geblumt blumen blumchen fleuri fleurs flores fiori floreale',
  Animal: 'leopard leopardo leopardata leopardato leopardenmuster leomuster',
  Camouflage: 'camo',
  Printed: 'print',
  Graphic: 'print',
}

const moreFabrics: Readonly<Record<string, string>> = {
  Corduroy: 'cord',
  Leather: 'leder cuero',
  Denim: 'jean vaquera',
  Suede: 'wildleder',
  Wool: 'woolen woollen',
}

/** Colours that a search for a plain colour finds as well. */
const colourFamilies: Readonly<Record<string, string>> = {
  Red: 'Burgundy, Rust',
  Blue: 'Navy, Light Blue, Royal Blue, Denim Blue, Turquoise, Teal',
  Green: 'Dark Green, Olive, Sage, Mint, Lime, Teal',
  Grey: 'Light Grey, Charcoal',
  White: 'Off White, Cream',
  Brown: 'Dark Brown, Tan, Camel, Taupe',
  Beige: 'Cream, Tan, Camel, Khaki',
  Pink: 'Hot Pink, Blush, Coral',
  Purple: 'Lavender, Mauve, Plum',
  Yellow: 'Mustard',
  Orange: 'Rust, Coral, Peach',
}

/** Types that a search for shoes finds as well. */
const typeFamilies: Readonly<Record<string, string>> = { Shoes: 'Trainers, Boots, Sandals, Heels, Slippers' }

/** Wearers that a search for children finds as well. */
const wearerFamilies: Readonly<Record<string, string>> = { children: 'boys, girls, babies' }

/** Phrases that people type, which the listings lack. */
const moreColourPhrases: Readonly<Record<string, readonly string[]>> = {
  Navy: ['dark blue', 'bleu fonce', 'azul oscuro', 'blu scuro'],
  Burgundy: ['dark red', 'wine red', 'rouge fonce', 'lie de vin', 'rojo oscuro', 'rosso scuro'],
  Charcoal: ['dark grey', 'dark gray', 'gris fonce', 'gris oscuro', 'grigio scuro'],
}

const moreTypePhrases: Readonly<Record<string, readonly string[]>> = {
  Shorts: [
    'kurze hose',
    'kurze hosen',
    'pantalon court',
    'pantalons courts',
    'pantalon corto',
    'pantalones cortos',
    'short pants',
    'pantaloni corti',
    'pantaloncini corti',
    'bermuda',
    'bermudas',
  ],
  'Long-Sleeve T-Shirt': ['long sleeve shirt', 'langarm shirt'],
  Joggers: ['sweat pants', 'track pants'],
  Trainers: ['running shoes', 'tennis shoes', 'sports shoes'],
  Sandals: ['flip flops'],
  Heels: ['high heels', 'high heel'],
  Hat: ['baseball cap', 'wollmutze', 'strickmutze'],
}

/** Maps a word or phrase of any language to the marked values that it stands for. */
function collectMeanings(): Map<string, Set<string>> {
  const meanings = new Map<string, Set<string>>()

  function add(phrase: string, value: string, mark: Mark): void {
    const known = meanings.get(phrase) ?? new Set()
    meanings.set(phrase, known.add(marked(value, mark)))
  }

  /** Adds a phrase and its head word: the last word in English and German, otherwise the first. */
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
    for (const [value, words] of Object.entries(more)) for (const word of words.split(' ')) add(word, value, mark)
  for (const [more, mark] of [
    [moreTypePhrases, marks.itemType],
    [moreColourPhrases, marks.colour],
  ] as const)
    for (const [value, phrases] of Object.entries(more)) for (const phrase of phrases) add(phrase, value, mark)
  for (const [wearer, words] of wearerWords)
    for (const word of words.split(' ')) if (wearer !== 'unisex' && word.length > 1) add(word, wearer, marks.gender)
  for (const [families, mark] of [
    [typeFamilies, marks.itemType],
    [colourFamilies, marks.colour],
    [wearerFamilies, marks.gender],
  ] as const)
    for (const values of meanings.values())
      for (const [value, family] of Object.entries(families))
        if (values.has(marked(value, mark))) for (const member of family.split(', ')) values.add(marked(member, mark))
  return meanings
}

const minStem = 3

/** Returns a word with and without endings of plural, case or gender: `Kleider`, `robes`, `vestiti`, `rotes`. */
export function stems(word: string): string[] {
  const singular = word.replace(/(?<!s)[snrm]$/, '')
  return [word, singular, ...[word, singular].map(withoutVowel)].filter(
    (stem, i, all) => stem.length >= minStem && all.indexOf(stem) === i,
  )
}

const withoutVowel = (word: string) => word.replace(/[aeiou]$/, '')

function collectVocabulary() {
  const meanings = collectMeanings()
  const meaningsByStem = new Map<string, Set<string>>()
  for (const [phrase, values] of meanings)
    for (const stem of new Set([phrase, withoutVowel(phrase), phrase.replace(/(?<!s)s$/, '')]))
      if (stem === phrase || stem.length >= minStem)
        meaningsByStem.set(stem, new Set([...(meaningsByStem.get(stem) ?? []), ...values]))
  const words = [...meanings.keys()].filter((phrase) => !phrase.includes(' '))
  return { meanings, meaningsByStem, words }
}

/** The vocabulary is built on first use, because that takes 20 ms and most isolates never need it. */
let vocabulary: ReturnType<typeof collectVocabulary> | undefined

export const knownWords = (): readonly string[] => (vocabulary ??= collectVocabulary()).words

/** Returns the marked values that a folded word or phrase stands for in any listing language; none if unknown. */
export function meaningsOf(phrase: string): ReadonlySet<string> {
  const found = exactMeanings(phrase)
  // `groesse` is another spelling of `größe`, which is folded to `grosse`.
  return found.size > 0 || !/[aou]e/.test(phrase) ? found : exactMeanings(phrase.replaceAll(/([aou])e/g, '$1'))
}

/** The shortest part of a compound word, such as `rock`. */
const minPart = 4

/**
 * Splits a compound word of the taxonomy into its parts: `damenjeans` into `damen` and `jeans`. If only the last part
 * is known, as in `sommerkleid`, returns that part.
 */
export function splitCompound(word: string): readonly string[] {
  for (let at = word.length - minPart; at >= minPart; at--) {
    const [before, last] = [word.slice(0, at), word.slice(at)]
    const types = [...exactMeanings(last)].filter((value) => value.endsWith(marks.itemType))
    if (types.length === 0) continue
    const first = [before, before.replace(/s$/, '')].find((part) => exactMeanings(part).size > 0)
    return first === undefined ? [last] : [first, last]
  }
  return []
}

function exactMeanings(phrase: string): ReadonlySet<string> {
  const { meanings, meaningsByStem } = (vocabulary ??= collectVocabulary())
  const exact = meanings.get(phrase)
  if (exact !== undefined || phrase.includes(' ')) return exact ?? new Set()
  for (const stem of stems(phrase)) {
    const found = meaningsByStem.get(stem)
    if (found !== undefined) return found
  }
  return new Set()
}

/** Returns the item types that a text such as `Women > Trousers` names in any listing language. */
export function namedTypes(text: string): ItemType[] {
  const words = foldWords(text)
  const phrases = words.flatMap((_, start) => [1, 2, 3].map((length) => words.slice(start, start + length).join(' ')))
  const found = new Set(phrases.flatMap((phrase) => [...meaningsOf(phrase)]))
  return itemTypes.filter((type) => found.has(marked(type, marks.itemType)))
}
