import { valueOf } from '../../platform/value-of.ts'
import { lineName } from '../../garments/corrections/allowed-values.ts'
import {
  type Condition,
  descriptionBlocks,
  listingNames,
  parseOmitted,
  readCondition,
  readListingValue,
} from '../../garments/listing-values.ts'
import { type Listing, type ListingFacts, writeListing } from '../../garments/listing-texts/write-listing.ts'
import type { Language } from '../../garments/listing-texts/listing-words.ts'
import { fingerprint } from '../../garments/listing-texts/plain-text.ts'
import { shownSize } from '../../garments/label.ts'
import { garmentSize } from '../../garments/sizes/garment-size.ts'
import type { ParsedSize } from '../../garments/sizes/size-rules.ts'
import { noteSentences } from '../../vision/scene.ts'
import { readWearer, type Wearer } from '../../vision/attributes/wearer.ts'
import { isItemType, type ItemType } from '../../vision/taxonomy/item-types.ts'
import { formatNumber } from '../../garments/list/garment-number.ts'
import { tagText } from '../export-columns.ts'
import type { ExportedGarment } from '../walk-garments.ts'
import { ebayCategoryName, type ExportDefaults, parseEbayCategories } from './export-defaults.ts'

/** Letters that Unicode does not decompose into base letter and accent. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }

/** Converts a text to lower-case letters, digits and single hyphens. */
export const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\0-\x7f]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

const maxSlugLength = 80

/** Builds a handle of title and stock number, such as `blue-linen-shirt-1042`. Long titles are cut after a word. */
function toHandle(title: string, number: number): string {
  const slug = toSlug(title)
  const words = slug.length <= maxSlugLength ? slug : slug.slice(0, maxSlugLength).replace(/-[^-]*$/, '')
  return [words, number].filter((part) => part !== '').join('-')
}

/** Cuts an id to `maxLength` characters. A cut id ends in a fingerprint of the full id. */
export const shortId = (id: string, maxLength: number): string =>
  id.length <= maxLength ? id : `${id.slice(0, maxLength - 9)}-${fingerprint(id)}`

/**
 * A garment prepared for a shop: its listing and listing values. The tenant's defaults replace missing values.
 */
export interface Product {
  readonly garment: ExportedGarment
  readonly handle: string
  readonly listing: Listing
  readonly itemType: ItemType | undefined
  readonly wearer: Wearer | undefined
  readonly ageGroup: string
  readonly brand: string
  /** The seller's words; empty if there are none. */
  readonly sizeWords: string
  /** Null if there are no words, or if they are no size. */
  readonly size: ParsedSize | null
  /** `12.50`; empty if unknown. */
  readonly price: string
  readonly currency: string
  readonly condition: Condition | undefined
  readonly stock: string
  readonly availability: string
  readonly sku: string
  readonly barcode: string
  readonly mpn: string
  readonly shelf: string
  readonly link: string
  /** Picture URLs in order. The first may be empty. */
  readonly imageUrls: readonly [string, ...string[]]
  readonly ebayCategory: string
}

function ownValues(attribute: ExportedGarment['attribute']) {
  const values = Object.entries(listingNames).map(
    ([name, names]) => [name, readListingValue(attribute, names)] as const,
  )
  return Object.fromEntries(values) as Record<keyof typeof listingNames, string>
}

const ageGroupOf: Readonly<Partial<Record<Wearer, string>>> = {
  boys: 'kids',
  girls: 'kids',
  children: 'kids',
  babies: 'infant',
}

type DescribedGarment = Pick<
  ExportedGarment,
  'tag' | 'measurements' | 'scale' | 'notes' | 'attribute' | 'corrected' | 'lines' | 'confirmed'
> &
  Partial<Pick<ExportedGarment, 'label'>>

/** Language and title length of a market. */
export interface Market {
  readonly language?: Language
  readonly maxTitleLength?: number
}

/** Writes a garment's listing for a market. The tenant's defaults replace missing values. */
export function toListing(garment: DescribedGarment, defaults: ExportDefaults, market: Market = {}): Listing {
  const { language = defaults.language, maxTitleLength } = market
  const values = sold(garment, defaults)
  const ownText = (name: string, text: string) => readListingValue(garment.attribute, [`${name} ${language}`]) || text
  const facts: ListingFacts = {
    tag: garment.tag ?? {},
    measurements: sureMeasurements(garment),
    isEstimated: isEstimated(garment),
    own: {
      ...values,
      title: ownText('Title', values.title),
      description: ownText('Description', values.description),
      size: sizeOf(garment, values),
    },
  }
  const without = parseOmitted(values.omits) ?? omittedByDefault(defaults)
  return writeListing(facts, language, { ...(maxTitleLength !== undefined && { maxTitleLength }), without })
}

/** Returns the blocks that generated descriptions omit, unless a garment says otherwise. */
export const omittedByDefault = (defaults: ExportDefaults) =>
  descriptionBlocks.filter((block) => defaults[`without_${block}`] === 'yes')

/** Returns the measurements. If the outline is unsure, returns only corrected or confirmed ones. */
export function sureMeasurements({ measurements, notes, corrected = [], confirmed = [] }: DescribedGarment) {
  const isSure = (key: string) =>
    !notes.includes(noteSentences.unsure_outline) || corrected.includes(key) || confirmed.includes(key)
  return Object.fromEntries(Object.entries(measurements ?? {}).filter(([key]) => isSure(key)))
}

/** Removes values of Low confidence from the tag, and values derived from a type of Low confidence. */
function sureTag({ tag, attribute }: Pick<ExportedGarment, 'tag' | 'attribute'>): ExportedGarment['tag'] {
  if (tag === null) return null
  const isGuess = (name: string): boolean => tag[`${name} Confidence`] === 'Low'
  const ofType = isGuess('Item Type')
    ? ['Category', 'Gender'].filter((name) => valueOf(attribute, name) === undefined)
    : []
  return Object.fromEntries(Object.entries(tag).filter(([name]) => !isGuess(name) && !ofType.includes(name)))
}

/** True if a measurement depends on an estimated scale. Typed lengths do not, but drawn measurement lines do. */
function isEstimated({ measurements, scale, corrected = [], lines = {} }: DescribedGarment): boolean {
  const isTyped = (key: string) => corrected.includes(key) && lines[lineName(key)] === undefined
  const isEstimate = scale === null || scale === 'estimate'
  return isEstimate && !Object.keys(measurements ?? {}).every(isTyped)
}

/** Returns the listing values. The tenant's defaults replace missing values. */
function sold(garment: DescribedGarment, defaults: ExportDefaults) {
  const values = ownValues(garment.attribute)
  return {
    ...values,
    brand: tagText(garment, 'Brand') || values.brand || defaults.brand,
    size: shownSize(garment) || defaults.size,
    condition: values.condition || defaults.condition,
    wearer: readWearer(tagText(garment, 'Gender')) ?? (defaults.gender || undefined),
  }
}

function sizeOf(garment: DescribedGarment, { size, wearer }: ReturnType<typeof sold>): ParsedSize | null {
  const parsed = garmentSize(size, tagText(garment, 'Item Type'), wearer ?? '')
  return parsed?.isUnsure ? null : parsed
}

export function toProduct(exported: ExportedGarment, defaults: ExportDefaults, market: Market = {}): Product {
  const garment = { ...exported, tag: sureTag(exported) }
  const values = sold(garment, defaults)
  const { brand, wearer } = values
  const itemType = tagText(garment, 'Item Type')
  const listing = toListing(exported, defaults, market)
  const handle = garment.exportRecords['shopify']?.handle || toHandle(listing.title, garment.number)
  const sku = values.sku || formatNumber(garment.number)
  const categoryByType =
    isItemType(itemType) && wearer !== undefined
      ? parseEbayCategories(defaults.ebay_categories).categories.get(ebayCategoryName(itemType, wearer))
      : undefined
  return {
    garment,
    handle,
    listing,
    itemType: isItemType(itemType) ? itemType : undefined,
    wearer,
    ageGroup: values.ageGroup.toLowerCase() || (wearer && ageGroupOf[wearer]) || defaults.age_group,
    brand,
    sizeWords: values.size,
    size: sizeOf(garment, values),
    price: values.price || defaults.price,
    currency: values.currency || defaults.currency,
    condition: readCondition(values.condition),
    stock: values.stock || defaults.stock,
    availability: availabilityOf(values.availability, values.stock) || defaults.availability,
    sku,
    barcode: values.barcode.replaceAll(/[\s-]/g, ''),
    mpn: values.mpn,
    shelf: values.shelf,
    link: values.link || fillTemplate(defaults.link, { uuid: garment.uuid, sku, handle }),
    imageUrls: imageUrlsOf(garment, defaults),
    ebayCategory: values.ebayCategory || categoryByType || defaults.ebay_category,
  }
}

/** Returns the URLs of readable pictures, after the cut-out of the first picture if the tenant wants it. */
function imageUrlsOf(
  { images, storedPictures, original_img: original, image_url: url }: ExportedGarment,
  { first_picture: wanted, cutout_ratio: ratio }: ExportDefaults,
): Product['imageUrls'] {
  const read = images.flatMap(({ failure_code: code, cutout_img: cutOut }, i) => {
    const published = storedPictures[i]?.publishedUrl
    return code !== '' || published === undefined ? [] : [{ cutOut, published }]
  })
  const cutOut = wanted === 'cut-out' ? (read[0]?.cutOut ?? '') : ''
  const [first = original || url, ...others] = read.map(({ published }) => published)
  const urls = cutOut === '' ? others : [first, ...others]
  const shown = cutOut === '' ? withExtension(first) : withRatio(withExtension(cutOut), ratio)
  return [shown, ...urls.map(withExtension)]
}

/** Adds the shop's canvas to the URL of a cut-out. A square needs none. */
export const withRatio = (cutoutUrl: string, ratio: ExportDefaults['cutout_ratio']) =>
  ratio === '1:1' ? cutoutUrl : `${cutoutUrl}?ratio=${ratio}`

/** Adds an extension to the URL of a picture that this service stores, because some importers require one. */
const withExtension = (url: string) =>
  /^https?:\/\/[^/]+\/garment-tagging\/(original|cutout)\/[^?.]*$/.test(url) ? `${url}.jpg` : url

const availabilityOf = (value: string, stock: string) =>
  value.toLowerCase().replaceAll(/[\s-]+/g, '_') || (stock === '0' ? 'out_of_stock' : '')

/** Fills `{uuid}`, `{sku}` and `{handle}` into the tenant's link template. */
const fillTemplate = (template: string, values: Readonly<Record<'uuid' | 'sku' | 'handle', string>>): string =>
  template.replaceAll(/\{(uuid|sku|handle)\}/g, (_, key: keyof typeof values) => encodeURIComponent(values[key]))
