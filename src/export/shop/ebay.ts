import { toHtml } from '../../listing/write-listing.ts'
import type { Column } from '../csv.ts'
import { tagText } from '../result-columns.ts'
import { ebayCategory } from './categories.ts'
import type { EbaySite } from './ebay-sites.ts'
import type { Product } from './product.ts'
import { ebayCondition } from './shop-text.ts'
import { shortId, shorten } from './slug.ts'

/** The first column's name, which tells eBay the site, its country and its currency. */
export const ebayAction = ({ siteId, country, currency }: EbaySite): string =>
  `Action(SiteID=${siteId}|Country=${country}|Currency=${currency}|Version=1193|CC=UTF-8)`

/** The rows before the header by which eBay knows its template. */
export const ebayInfo = ({ template }: EbaySite): readonly (readonly string[])[] => [
  ['#INFO', 'Version=0.0.2', `Template= eBay-draft-listings-template_${template}`],
  ['#INFO'],
]

function categoryOf({ ebayCategory: own, itemType, wearer }: Product): string {
  if (own !== '' || itemType === undefined) return own
  return wearer === 'men' || wearer === 'women' ? ebayCategory(itemType, wearer) : ''
}

const departments: Readonly<Record<NonNullable<Product['wearer']>, string>> = {
  men: 'Men',
  women: 'Women',
  unisex: 'Unisex Adults',
  boys: 'Boys',
  girls: 'Girls',
  children: 'Unisex Kids',
  babies: 'Baby',
}

/** Item specifics, whose names differ from language to language: on the English sites only. */
const specifics: readonly Column<Product>[] = [
  ['C:Brand', ({ brand }) => brand || 'Unbranded'],
  ['C:Size', ({ size }) => size],
  ['C:Department', ({ wearer }) => (wearer === undefined ? '' : departments[wearer])],
  ['C:Type', ({ garment }) => tagText(garment, 'Item Type')],
  [
    'C:Color',
    ({ garment }) =>
      tagText(garment, 'Colour')
        .replace('Grey', 'Gray')
        .replace(/^Multi$/, 'Multicolor'),
  ],
  ['C:Material', ({ garment }) => tagText(garment, 'Material')],
  ['C:Pattern', ({ garment }) => tagText(garment, 'Pattern').replace('Plain', 'Solid')],
]

/**
 * The columns of eBay's template of draft listings. A price in another currency keeps its code, and eBay refuses it.
 */
export const ebayColumns = (site: EbaySite): readonly Column<Product>[] => [
  [ebayAction(site), () => 'Draft'],
  ['Custom label (SKU)', ({ sku }) => shortId(sku, 50)],
  ['Category ID', categoryOf],
  ['Title', ({ listing }) => shorten(listing.title, 80)],
  ['UPC', ({ barcode }) => barcode],
  ['Price', ({ price, currency }) => (currency === site.currency || price === '' ? price : `${price} ${currency}`)],
  ['Quantity', ({ stock }) => stock],
  ['Item photo URL', ({ imageUrl }) => imageUrl],
  ['Condition ID', ebayCondition],
  ['Description', ({ listing }) => toHtml(listing)],
  ['Format', () => 'FixedPrice'],
  ...(site.isEnglish ? specifics : []),
]
