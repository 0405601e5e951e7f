import { valueOf } from '../platform/value-of.ts'
import { correctableNames, isMeasurement, measurementNames } from '../garments/corrections/allowed-values.ts'
import { knownAttributes } from '../garments/garment-fields.ts'
import { listingNames } from '../garments/listing-values.ts'
import { maxPictures } from '../garments/pictures/garment-picture.ts'
import { findNearMisses } from '../platform/http/validation.ts'

/** Columns that a report adds to the file. A later import of the report ignores them. */
export const reportColumns = ['import_line', 'import_status', 'import_problem'] as const

export const moreCells = 'import_more_cells'

export const isOfReport = (column: string) => [...reportColumns, moreCells].some((name) => name === column)

/** Column with the time of the export. An import overwrites later changes only on request. */
export const exportedAt = 'exported_at'

const [tagPrefix, measurementPrefix] = ['tag.', 'measurements.']

export const tagTarget = (name: string) => `${tagPrefix}${name}`
export const measurementTarget = (name: string) => `${measurementPrefix}${name}`

export const tagName = (target: string) => (target.startsWith(tagPrefix) ? target.slice(tagPrefix.length) : null)
export const measurementName = (target: string) =>
  target.startsWith(measurementPrefix) ? target.slice(measurementPrefix.length) : null

/**
 * True for targets that hold picture URLs: `image_url`, `image_url_2` to `image_url_8`, and `images`, the column for
 * all pictures in our own export.
 */
export const isImage = (target: string) => /^(image_url(_\d)?|images)$/.test(target)

export const kindsColumn = 'kinds'

/** True for targets that correct a value or name the time of the export, and so are not stored as attributes. */
export const isChange = (target: string) =>
  target === exportedAt || tagName(target) !== null || measurementName(target) !== null

/** Computed columns of our own export, besides `Machine …` and `… Confidence`. An import ignores them. */
const computed = new Set(
  (
    'status failure_reason failure_code created_at ended_at original_img annotated_img description shown scale notes ' +
    'tagger corrected number'
  ).split(' '),
)

/**
 * Maps each target to headers found in spreadsheets of the five languages and in exports of Shopify, eBay, Google and
 * WooCommerce, spelled as `plainHeader` returns them. Names in `listingNames` are added below.
 */
const headers = Object.entries({
  uuid: 'uuid',
  number: 'number stocknumber',
  image_url:
    'imageurl image imagelink imagesrc images imageurls imageurlsxyz baseimage productimageurl itemphotourl picurl photo photos photourl picture pictureurl bild bildurl bilder foto fotos fotourl imagen imagenes urlimagen immagine immagini urlimage lienimage image1 photo1 picture1 bild1 foto1',
  [exportedAt]: 'exportedat',
  Title: 'title titel titre titulo titolo name nom nombre nome produktname productname itemtitle listingtitle',
  Description: 'description bodyhtml beschreibung descripcion descrizione kurzbeschreibung shortdescription',
  Brand:
    'brand brands marke marken marque marques marca marche vendor hersteller manufacturer fabricant fabricante produttore cbrand cmarke',
  Size: 'size groesse grosse taille talla taglia option1value csize cgrosse cgroesse variantsize',
  Condition: 'condition zustand etat estado condizione condizioni googleshoppingcondition',
  Price:
    'price preis prix precio prezzo listingprice pricetaxincl pricetaxincluded pricetaxexcl pricetaxexcluded variantprice regularprice startprice currentprice buyitnowprice verkaufspreis regularerpreis regulaererpreis tarifregulier prixregulier precionormal prezzodilistino',
  Currency: 'currency waehrung wahrung devise moneda valuta divisa',
  Stock:
    'stock quantity bestand lager lagerbestand menge anzahl quantite cantidad existencias quantita giacenza inventario inventoryquantity variantinventoryqty availablequantity qty',
  SKU: 'sku variantsku articlenumber artikelnummer artikelnr reference referenz referencia riferimento customlabel customlabelsku ugs cod codice codiceart codigo',
  Barcode: 'barcode gtin ean ean13 upc variantbarcode strichcode codebarres gtinupceanorisbn',
  MPN: 'mpn',
  Shelf:
    'shelf location regal fach lagerplatz lagerort etagere emplacement rayon estante ubicacion scaffale posizione customlabel0',
  Gender: 'gender geschlecht genre genero genere sexe sexo sesso cdepartment googleshoppinggender',
  Material: 'material materiau matiere materiale cmaterial',
  'Age group': 'agegroup altersgruppe googleshoppingagegroup',
  Availability: 'availability verfuegbarkeit verfugbarkeit',
  Link: 'link url',
} satisfies Record<string, string>)

const known = new Map<string, string>([
  ...[
    ...Object.values(listingNames).map((names) => names.map((name) => [name, name] as const)),
    knownAttributes.map((name) => [name, name] as const),
  ]
    .flat()
    .map(([header, target]) => [plainHeader(header), target] as const),
  ...headers.flatMap(([target, words]) => words.split(' ').map((word) => [word, target] as const)),
])

function plainHeader(header: string): string {
  return header
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')
}

/**
 * Header patterns that identify each shop's export, and its columns that may name the garment, in order of preference.
 */
const shops: readonly { readonly marks: RegExp; readonly ids: readonly string[] }[] = [
  { marks: /^(url)?handle$/, ids: ['urlhandle', 'handle'] },
  { marks: /^action(siteid|$)/, ids: ['customlabelsku', 'customlabel'] },
  { marks: /^(googleproductcategory|identifierexists)$/, ids: ['id'] },
  {
    marks: /^(regularprice|regul(ae|a)rerpreis|tarifregulier|precionormal|prezzodilistino)$/,
    ids: ['sku', 'ugs', 'artikelnummer', 'cod'],
  },
  { marks: /^(pricetaxexcl(uded)?|imageurlsxyz|active01)$/, ids: ['reference', 'id', 'productid'] },
  { marks: /^(attributesetcode|storeviewcode)$/, ids: ['sku'] },
  { marks: /^photos$/, ids: ['sku'] },
  { marks: /^(costofgoods|listingplatforms|primarycolor)$/, ids: ['vendooitemid', 'itemid', 'sku'] },
]

export interface Column {
  readonly name: string
  /**
   * `uuid`, `number`, `image_url`, `kinds`, `exported_at`, `attribute` (JSON), `tag.Colour`,
   * `measurements.Chest (cm)`, or an attribute's name; null if the column is ignored.
   */
  readonly target: string | null
  /** Set if the header is unknown. The column becomes an attribute of that name unless the user maps it. */
  readonly isUnknown?: true
  readonly guess?: string | undefined
}

export interface Columns {
  readonly columns: readonly Column[]
  readonly source: 'ours' | 'shop' | 'other'
  readonly hasImages: boolean
  /** False if another column, such as the shop's article number, names the garment. */
  readonly hasUuid: boolean
}

/**
 * Maps a file's headers, in any of the five languages or a shop's wording, to targets.
 * @param chosen maps a header to the attribute that the user chose for it; empty to ignore the column
 */
export function readColumns(names: readonly string[], chosen: Readonly<Record<string, string>> = {}): Columns {
  const plain = names.map(plainHeader)
  const isOurs = names.includes(exportedAt) && names.includes('uuid')
  const shop = names.includes('uuid') ? undefined : shops.find(({ marks }) => plain.some((name) => marks.test(name)))
  const ids = shop?.ids ?? ['id', ...plain.filter((name) => known.get(name) === 'SKU'), 'stocknumber', 'number']
  const id = plain.includes('uuid') ? 'uuid' : ids.find((name) => plain.includes(name))
  const found = names.map((name, index): Column =>
    plain[index] === id && !Object.hasOwn(chosen, name) ? { name, target: 'uuid' } : readColumn(name),
  )
  const used = new Map<string, number>()
  for (const [index, { name, target }] of found.entries()) {
    const before = target === null ? undefined : used.get(target)
    if (target !== null && (before === undefined || isPreferred(name, found[before]?.name ?? '', target, chosen)))
      used.set(target, index)
  }
  const read = names.map((name, index): Column => {
    const column = found[index] ?? { name, target: null }
    // If several columns have the same meaning, the usual name counts: `Title` rather than `Name`.
    if (column.target !== null && used.get(column.target) !== index) return { name, target: null }
    return column
  })
  function readColumn(name: string): Column {
    const choice = valueOf(chosen, name)
    if (choice !== undefined) return { name, target: choice || null }
    // Objects cannot store a value under `__proto__`.
    if (isOfReport(name) || name === '' || name === '__proto__') return { name, target: null }
    const further = furtherImage(name)
    if (further !== undefined) return { name, target: further }
    if (name === kindsColumn || (isOurs && name === 'images')) return { name, target: name }
    const [, kind, rest = ''] = /^(attribute|tag|measurements)\.(.+)$/.exec(name) ?? []
    if (kind === 'attribute') return { name, target: rest }
    // A shop's own words for a colour or a fit are not those of the taxonomy.
    const isCorrection = kind === 'tag' || isOurs || (shop === undefined && !knownAttributes.includes(name))
    if (correctableNames().includes(kind === 'tag' ? rest : name) && isCorrection)
      return { name, target: tagTarget(kind === 'tag' ? rest : name) }
    if (isMeasurement(kind === 'measurements' ? rest : name))
      return { name, target: measurementTarget(kind === 'measurements' ? rest : name) }
    if (isOurs) {
      if (computed.has(name) || /^Machine |Confidence$/.test(name)) return { name, target: null }
      if (name === 'attribute') return { name, target: name }
    }
    const target = known.get(plainHeader(name))
    if (target !== undefined) return { name, target }
    // Shop exports have dozens of columns that mean nothing here.
    return shop === undefined ? { name, target: name, isUnknown: true, guess: guessOf(name) } : { name, target: null }
  }
  return {
    columns: read,
    source: isOurs ? 'ours' : shop === undefined ? 'other' : 'shop',
    hasImages: used.has('image_url'),
    hasUuid: plain.includes('uuid'),
  }
}

function isPreferred(name: string, before: string, target: string, chosen: Readonly<Record<string, string>>): boolean {
  if (Object.hasOwn(chosen, before)) return false
  if (Object.hasOwn(chosen, name)) return true
  const usual = headers.find(([each]) => each === target)?.[1].split(' ') ?? []
  const [rank, rankBefore] = [name, before].map((each) => usual.indexOf(plainHeader(each)))
  return rank !== undefined && rank !== -1 && rankBefore !== undefined && rankBefore !== -1 && rank < rankBefore
}

/** `Image 2`, `image_url_2`, `Foto 3` and Magento's `additional_images`; undefined for any other header. */
function furtherImage(name: string): string | undefined {
  const plain = plainHeader(name)
  if (plain === 'additionalimages' || plain === 'additionalimagelink') return 'image_url_2'
  const [, base = '', number = ''] = /^(.*?[a-z])([2-9])$/.exec(plain) ?? []
  return known.get(base) === 'image_url' && Number(number) <= maxPictures ? `image_url_${number}` : undefined
}

function guessOf(name: string): string | undefined {
  const words = name.split(/[^\p{L}\p{N}]+/u).map(plainHeader)
  const found = words.flatMap((word) => known.get(word) ?? [])[0]
  if (found !== undefined) return found
  const [near] = findNearMisses({ [plainHeader(name)]: '' }, [...known.keys()])
  return near && known.get(near.meant)
}

export const choosable: readonly string[] = [
  ...new Set([
    ...Object.values(listingNames).map(([name]) => name as string),
    ...knownAttributes,
    ...correctableNames().map(tagTarget),
    ...measurementNames.map(measurementTarget),
    'image_url',
    'uuid',
    'number',
  ]),
]
