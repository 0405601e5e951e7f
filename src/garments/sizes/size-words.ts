/** A table whose keys are lists of words separated by blanks, as a map from each word to its value. */
const byWord = <T>(table: readonly (readonly [words: string, value: T])[]) =>
  new Map(table.flatMap(([words, value]) => words.split(' ').map((word) => [word, value] as const)))

/** Type of cut, as Google and eBay distinguish them. */
export const sizeTypes = ['regular', 'petite', 'tall', 'plus', 'maternity', 'big_tall'] as const

export type SizeType = (typeof sizeTypes)[number]

/** Systems in which a size can be written. `none` stands for a value whose scale is unknown, such as a bare `38`. */
export const sizeSystems = [
  'letter',
  'one_size',
  'US',
  'UK',
  'EU',
  'DE',
  'FR',
  'IT',
  'AU',
  'waist_length',
  'collar_in',
  'collar_cm',
  'age_years',
  'age_months',
  'height_cm',
  'bra',
  'shoe_eu',
  'shoe_us',
  'shoe_uk',
  'none',
] as const

export type SizeSystem = (typeof sizeSystems)[number]

/** Maps the names of countries and regions to Google's codes. `RU`, `KR` and `ES` are no codes of Google. */
export const countries = byWord([
  ['us usa u.s. amerik. u.s.a. american america amerikanisch', 'US'],
  ['uk gb u.k. engl. englisch british britain', 'UK'],
  ['eu eur euro europe european europa', 'EU'],
  ['de ger germany german deutsch d', 'DE'],
  ['fr franz. franzosisch france french fra f', 'FR'],
  ['it ita ital. italienisch italy italian italia i', 'IT'],
  ['au aus aust australia australian aussie nz', 'AU'],
  ['jp jpn japan', 'JP'],
  ['br bra brazil brasil', 'BR'],
  ['mx mex mexico', 'MEX'],
  ['cn chn china chinese', 'CN'],
  ['es esp spain spanish e', 'ES'],
  ['ru rus russia', 'RU'],
  ['kr kor korea korean', 'KR'],
  ['int intl international', 'INT'],
])

/** Countries whose clothing sizes are a system of their own here. Other countries' sizes get the system `none`. */
export const clothingSystems: ReadonlySet<string> = new Set(['US', 'UK', 'EU', 'DE', 'FR', 'IT', 'AU'])

/** Words for “size”, with the country whose sizes such a text usually means; empty if it names none. */
export const sizeWords = byWord([
  ['size sized sz sizes 码 碼', ''],
  ['grosse groesse gr gr. grossen', 'DE'],
  ['taille pointure t t.', 'FR'],
  ['taglia tg tg. taglie', 'IT'],
  [
    'talla talle numero maat maten rozmiar rozm rozm. roz. r. str str. storrelse storlek stl stl. koko velikost vel vel.',
    'EU',
  ],
  ['tam tam. tamanho', 'BR'],
  ['размер р р. р-р разм разм.', 'RU'],
  ['num num. n. no. nr nr. n° nº number roman サイズ 尺码 号', 'brand'],
])

export const typeWords = byWord<SizeType>([
  ['regular reg reg. normal standard', 'regular'],
  ['petite petites short shorter kurz kurzgrosse court corto corta', 'petite'],
  ['tall long lang langgrosse longer', 'tall'],
  ['plus plussize plus-size curve curvy husky', 'plus'],
  ['big big&tall', 'big_tall'],
  [
    'maternity umst umst. mat. mama umstand umstands umstandsgrosse umstandsmode premaman grossesse pregnancy',
    'maternity',
  ],
])

export type SizeWearer = 'men' | 'women' | 'kids' | 'baby'

export const wearerWords = byWord<SizeWearer>([
  ['men mens man herren homme hommes hombre uomo メンズ male gents', 'men'],
  ['women womens miss misses woman ladies lady damen femme femmes mujer donna レディース female', 'women'],
  [
    'kids kid boys girls boy girl toddler child children childs childrens youth junior jr jr. kinder enfant nino nina bambino',
    'kids',
  ],
  ['baby babies infant bebe neonato', 'baby'],
])

/** Words that say nothing about the size and may stand around it. */
export const fillerWords: ReadonlySet<string> = new Set(
  (
    'a an the is in of to and or by for with on it fits fit fitted like approx approx. approximately about est est. ' +
    'estimated estimate modern circa ca ca. equivalent equiv equals would best more probably around recommended marked ' +
    'labelled labeled tagged label tag says as not new adult adults only age aged ages mode wide wider narrow x-wide ' +
    'xwide width slim straight oversized oversize baggy feels ish but loose boxy stretch stretchy tight generous sizing skinny relaxed unisex asia asian little upto leg kopfumfang ku jacket blazer suit coat shirt dress trousers pants jeans chino chinos skirt top blouse jumper sweater hoodie tee shoes boots trainers jacke hose kleid hemd bluse rock mantel pullover veste robe pantalon chemise jupe giacca vestito camicia vestido falda passt passend entspricht etwa wie eher fallt aus correspond equivaut environ porte come como corrisponde equivale circa veste vale per fur pour para cm inch inches in vintage uk/us eu/uk see no'
  ).split(' '),
)

/** Colours, which shops write beside the size of a variant. */
export const colourWords: ReadonlySet<string> = new Set(
  (
    'black white grey gray red blue navy green yellow pink purple brown beige cream orange gold silver khaki olive ' +
    'schwarz weiss grau rot blau grun gelb rosa lila braun noir blanc gris rouge bleu vert jaune rose violet marron ' +
    'negro blanco rojo azul verde amarillo nero bianco grigio rosso blu giallo marrone multi multicolor'
  ).split(' '),
)

/** Names of measurements, whose numbers are no sizes. */
export const measurementWords: ReadonlySet<string> = new Set(
  'chest bust length sleeve sleeves hip hips shoulder shoulders inseam rise width height depth pit p2p brust lange laenge hufte'.split(
    ' ',
  ),
)

export const yearUnits = 'years?|yrs?|yo|y|ans?|jahre?n?|jahr|j|anni|anno|anos?|a|lat|lata|jaar|ar|aar|let|лет|года?'
export const monthUnits =
  'months?|mnths?|mths?|mos?|mois|monate?n?|mon|mesi|mese|mes(?:es)?|maanden|mnd|mdr|manader|man|mies(?:iecy)?|мес|м|m'

/** Letter sizes in words. `SM` is printed for “S to M”. */
export const letterWords = byWord([
  ['s small sml sm. klein kleine petit pequeno pequena chico chica piccolo piccola maly mala liten lille', 'S'],
  ['m medium med med. md mittel mitte moyen mediano mediana medio media sredni srednia', 'M'],
  ['l large lg lge lrg gross grand grande duzy duza stor', 'L'],
])

/**
 * Letters of Portuguese, French and Spanish labels. Alone they are ambiguous, so a word for “size” must precede them.
 */
export const localLetters = byWord([
  ['pp tp ep xp', 'XS'],
  ['p ch', 'S'],
  ['m', 'M'],
  ['g', 'L'],
  ['gg xg eg tg', 'XL'],
  ['xgg egg xxg ttg', '2XL'],
])

/** Phrases for “one size”, without blanks and hyphens. */
export const oneSizePhrases: ReadonlySet<string> = new Set(
  (
    'onesize onesizefitsall onesizefitsmost onesz 1size 1sz osize ones os o/s osfa osfm osfs oz one freesize free unisize ' +
    'uni unica unico unique tu t.u. t.u tailleunique tallaunica tagliaunica tamanhounico tallaunico unicatalla ' +
    'einheitsgrosse eineGrosse einegrosse einheits eenmaat universal universell universalgrosse uniwersalny ' +
    'rozmiaruniwersalny tgunica tg.unica univerzalni enstorlek 均碼 o.s. o.s uniwersalna unisizefitsall フリーサイズ フリー 均码 ф onesizeonly onesizefits oneszfitsall 1sizefitsall ' +
    '1sizefitsmost unitalla unitaille'
  )
    .toLowerCase()
    .split(' '),
)

export const newbornWords: ReadonlySet<string> = new Set(
  'newborn nb naissance neugeboren neugeborene nouveaune neonato reciennacido pasgeborene n.b. newbaby'.split(' '),
)
