/** The condition of a garment, from best to worst; `used` where nothing more is known. */
export const conditions = [
  'new with tags',
  'new without tags',
  'new with defects',
  'refurbished',
  'excellent',
  'good',
  'fair',
  'used',
] as const

export type Condition = (typeof conditions)[number]

/** What clients write, in lower case and without accents. The first pattern that matches decides. */
const patterns: readonly (readonly [RegExp, Condition])[] = [
  [/^(nwt|new|neu|neuf|neuve|nuevo|nueva|nuovo|nuova|brand new|neuware)$/, 'new with tags'],
  [
    /(new|neu|neuf|neuve|nuev[oa]|nuov[oa]).*(defect|imperfection|fehler|mangel|defaut|difett|defecto)/,
    'new with defects',
  ],
  [/^nwot$|(new|neu|neuf|neuve|nuev[oa]|nuov[oa]).*(without|no tag|ohne|sans|sin|senza)/, 'new without tags'],
  [/(new|neu|neuf|neuve|nuev[oa]|nuov[oa]).*(tag|etikett|etiquet|cartellin|box|karton)/, 'new with tags'],
  [/refurbished|aufgearbeitet|reconditionne|reacondicionad|ricondizionat/, 'refurbished'],
  [
    /excellent|very good|like new|mint|sehr gut|wie neu|neuwertig|tres bon|comme neuf|muy buen|como nuev|ottim|come nuov/,
    'excellent',
  ],
  [
    /fair|acceptable|poor|worn|akzeptabel|getragen|stark gebraucht|correct|satisfaisant|aceptable|discret|accettabil/,
    'fair',
  ],
  [/good|gut|bon|bueno|buen|buon/, 'good'],
  [/used|pre-?owned|pre-?loved|second|segunda|vintage|gebraucht|occasion|usad|usat/, 'used'],
]

/** Undefined for words that none of the languages has for a condition. */
export function readCondition(text: string): Condition | undefined {
  const plain = text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .trim()
  return conditions.find((condition) => condition === plain) ?? patterns.find(([pattern]) => pattern.test(plain))?.[1]
}
