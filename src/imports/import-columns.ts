import { correctableNames, isMeasurement } from '../garments/corrections/allowed-values.ts'
import { knownAttributes } from '../garments/fields.ts'
import { ownNames } from '../garments/own-values.ts'
import { findNearMisses } from '../platform/http/validation.ts'

/** Columns that a report adds to the file. They are ignored when it is imported again. */
export const reportColumns = ['import_line', 'import_status', 'import_problem'] as const

/** A column of the report for lines with more cells than the file has columns. */
export const moreCells = 'import_more_cells'

export const isOfReport = (column: string) => [...reportColumns, moreCells].some((name) => name === column)

/** The time of an export, in each of its rows: what was changed later is not overwritten unasked. */
export const exportedAt = 'exported_at'

/** Before the names of tags and measurements, which correct what was predicted. */
const [tagPrefix, measurementPrefix] = ['tag.', 'measurements.']

export const tagName = (target: string) => (target.startsWith(tagPrefix) ? target.slice(tagPrefix.length) : null)
export const measurementName = (target: string) =>
  target.startsWith(measurementPrefix) ? target.slice(measurementPrefix.length) : null

/**
 * Whether a target is addresses of pictures: `image_url`, `image_url_2` to `image_url_8`, or `images`, which our own
 * export has for all of them.
 */
export const isImage = (target: string) => /^(image_url(_\d)?|images)$/.test(target)

/** What the pictures of a row show, in their order, separated by commas. */
export const kindsColumn = 'kinds'

/** Whether a target is no attribute. */
export const isChange = (target: string) =>
  target === exportedAt || tagName(target) !== null || measurementName(target) !== null

/** What our own export computes, besides `Machine …` and `… Confidence`. */
const computed = new Set(
  (
    'status failure_reason failure_code uploaded_at ended_at original_img annotated_img description shown scale notes ' +
    'tagger corrected'
  ).split(' '),
)

/**
 * What spreadsheets in the five languages and the exports of Shopify, eBay, Google and WooCommerce call our columns, as
 * `plainHeader` spells them. The names in `ownNames` need not be here.
 */
const headers = Object.entries({
  uuid: 'uuid',
  image_url:
    'imageurl image imagelink imagesrc images productimageurl itemphotourl picurl photo photourl picture pictureurl bild bildurl bilder foto fotos fotourl imagen imagenes urlimagen immagine immagini urlimage lienimage',
  [exportedAt]: 'exportedat',
  Title: 'title titel titre titulo titolo name nom nombre nome produktname productname',
  Description: 'description beschreibung descripcion descrizione kurzbeschreibung shortdescription',
  Brand: 'brand brands marke marken marque marques marca marche vendor hersteller cbrand cmarke',
  Size: 'size groesse grosse taille talla taglia option1value csize cgrosse cgroesse variantsize',
  Condition: 'condition zustand etat estado condizione condizioni googleshoppingcondition',
  Price:
    'price preis prix precio prezzo variantprice regularprice startprice currentprice buyitnowprice verkaufspreis regularerpreis regulaererpreis tarifregulier prixregulier precionormal prezzodilistino',
  Currency: 'currency waehrung wahrung devise moneda valuta divisa',
  Stock:
    'stock quantity bestand lager lagerbestand menge anzahl quantite cantidad existencias quantita giacenza inventario inventoryquantity variantinventoryqty availablequantity',
  SKU: 'sku variantsku articlenumber artikelnummer artikelnr reference referenz referencia riferimento customlabel customlabelsku ugs',
  Barcode: 'barcode gtin ean upc variantbarcode strichcode codebarres gtinupceanorisbn',
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
    ...Object.values(ownNames).map((names) => names.map((name) => [name, name] as const)),
    knownAttributes.map((name) => [name, name] as const),
  ]
    .flat()
    .map(([header, target]) => [plainHeader(header), target] as const),
  ...headers.flatMap(([target, words]) => words.split(' ').map((word) => [word, target] as const)),
])

/** Lower case, without accents, spaces and signs. */
function plainHeader(header: string): string {
  return header
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')
}

/** The columns by which each shop's export is recognised, and that which names the garment, the first that it has. */
const shops: readonly { readonly marks: RegExp; readonly ids: readonly string[] }[] = [
  { marks: /^(url)?handle$/, ids: ['urlhandle', 'handle'] },
  { marks: /^action(siteid|$)/, ids: ['customlabelsku', 'customlabel'] },
  { marks: /^(googleproductcategory|identifierexists)$/, ids: ['id'] },
  { marks: /^(regularprice|regul(ae|a)rerpreis|tarifregulier|precionormal|prezzodilistino)$/, ids: ['sku', 'ugs'] },
]

/** Texts that a shop's export has from us, or as HTML. */
const shopTexts = ['Description']

export interface Column {
  readonly name: string
  /**
   * `uuid`, `image_url`, `kinds`, `exported_at`, `attribute` (JSON), `tag.Colour`, `measurements.Chest (cm)`, or the
   * name of an attribute; null for one that is ignored.
   */
  readonly target: string | null
  /** Whether nobody knows the name, which is kept as an attribute unless another is chosen. */
  readonly isUnknown?: true
  /** The attribute that such a column may be. */
  readonly guess?: string | undefined
}

export interface Columns {
  readonly columns: readonly Column[]
  /** Whether this is the file of an export of ours, or of a shop. */
  readonly source: 'ours' | 'shop' | 'other'
  readonly hasImages: boolean
}

/**
 * What the columns of a file mean, in any of the five languages and in the words of the shops.
 * @param chosen by the name of a column what a person has chosen for it: an attribute, or nothing
 */
export function readColumns(names: readonly string[], chosen: Readonly<Record<string, string>> = {}): Columns {
  const plain = names.map(plainHeader)
  const isOurs = names.includes(exportedAt) && names.includes('uuid')
  const shop = names.includes('uuid') ? undefined : shops.find(({ marks }) => plain.some((name) => marks.test(name)))
  // Without a column uuid, the shop's id or the article number names the garment.
  const ids = shop?.ids ?? ['id', ...plain.filter((name) => known.get(name) === 'SKU')]
  const id = plain.includes('uuid') ? 'uuid' : ids.find((name) => plain.includes(name))
  const used = new Set<string>()
  const read = names.map((name, index): Column => {
    const column = plain[index] === id ? { name, target: 'uuid' } : readColumn(name)
    // A shop has several prices and pictures, of which the first counts.
    if (column.target !== null && used.has(column.target) && (isOurs || shop !== undefined))
      return { name, target: null }
    if (column.target !== null) used.add(column.target)
    return column
  })
  function readColumn(name: string): Column {
    const choice = Object.hasOwn(chosen, name) ? chosen[name] : undefined
    if (choice !== undefined) return { name, target: choice || null }
    // No object keeps a value under the second.
    if (isOfReport(name) || name === '__proto__') return { name, target: null }
    const [, further] = /^image[ _]url[ _](\d)$/i.exec(name) ?? []
    if (further !== undefined) return { name, target: `image_url_${further}` }
    if (name === kindsColumn || (isOurs && name === 'images')) return { name, target: name }
    const [, kind, rest = ''] = /^(attribute|tag|measurements)\.(.+)$/.exec(name) ?? []
    if (kind === 'attribute') return { name, target: rest }
    if (correctableNames().includes(kind === 'tag' ? rest : name) && (isOurs || !knownAttributes.includes(name)))
      return { name, target: `${tagPrefix}${kind === 'tag' ? rest : name}` }
    if (isMeasurement(kind === 'measurements' ? rest : name))
      return { name, target: `${measurementPrefix}${kind === 'measurements' ? rest : name}` }
    if (isOurs) {
      if (computed.has(name) || /^Machine |Confidence$/.test(name)) return { name, target: null }
      if (name === 'attribute') return { name, target: name }
    }
    const target = known.get(plainHeader(name))
    if (target !== undefined) return { name, target: shop !== undefined && shopTexts.includes(target) ? null : target }
    // A shop's export has dozens of columns that are its own affair.
    return shop === undefined ? { name, target: name, isUnknown: true, guess: guessOf(name) } : { name, target: null }
  }
  return {
    columns: read,
    source: isOurs ? 'ours' : shop === undefined ? 'other' : 'shop',
    hasImages: used.has('image_url'),
  }
}

/** The attribute that a column may be: a word of its name is known, as in `Preis (EUR)`, or nearly so. */
function guessOf(name: string): string | undefined {
  const words = name.split(/[^\p{L}\p{N}]+/u).map(plainHeader)
  const found = words.flatMap((word) => known.get(word) ?? [])[0]
  if (found !== undefined) return found
  const [near] = findNearMisses({ [plainHeader(name)]: '' }, [...known.keys()])
  return near && known.get(near.meant)
}

/** The attributes that a column can be chosen to be. */
export const choosable: readonly string[] = [
  ...new Set([...Object.values(ownNames).map(([name]) => name as string), ...knownAttributes]),
]
