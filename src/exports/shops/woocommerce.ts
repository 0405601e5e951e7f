import { toHtml } from '../../garments/listing-texts/write-listing.ts'
import { type Language, listingWords } from '../../garments/listing-texts/listing-words.ts'
import { sizeText } from '../../garments/sizes/size-text.ts'
import { type Column, tagText } from '../export-columns.ts'
import { type Product, shortId } from './product.ts'
import { address, amount, type ShopRules } from './shop-rules.ts'

const wooAttribute = (place: number, name: string, valueOf: (product: Product) => string): Column<Product>[] => [
  [`Attribute ${place} name`, (product) => (valueOf(product) === '' ? '' : name)],
  [`Attribute ${place} value(s)`, (product) => valueOf(product).replaceAll(',', '')],
  [`Attribute ${place} visible`, (product) => (valueOf(product) === '' ? '' : '1')],
]

/** The columns of WooCommerce's product import: simple products, as drafts. Headers are in English in every shop. */
export function wooCommerceColumns(language: Language): readonly Column<Product>[] {
  const words = listingWords[language]
  return [
    ['Type', () => 'simple', { isRequired: true, values: ['simple'] }],
    ['SKU', ({ sku }) => shortId(sku, 100), { isRequired: true, maxLength: 100 }],
    ['GTIN, UPC, EAN, or ISBN', ({ barcode }) => barcode],
    ['Name', ({ listing }) => listing.title, { isRequired: true }],
    // -1 is a draft.
    ['Published', () => '-1', { values: ['1', '0', '-1'] }],
    ['Description', ({ listing }) => toHtml(listing)],
    ['In stock?', ({ stock }) => (stock === '0' ? '0' : '1'), { values: ['0', '1'] }],
    ['Stock', ({ stock }) => stock, { pattern: /^\d{1,9}$/, meaning: 'a whole number' }],
    ['Regular price', ({ price }) => price, { ...amount, isExpected: true }],
    ['Categories', ({ itemType }) => (itemType === undefined ? '' : capitalise(words.itemTypes[itemType]))],
    ['Brands', ({ brand }) => brand],
    [
      'Images',
      ({ imageUrls }) => imageUrls.map((url) => url.replaceAll(',', '%2C')).join(', '),
      { ...address, pattern: /^https?:\/\//, isExpected: true, addresses: ', ' },
    ],
    ...wooAttribute(1, words.labels.size, ({ size }) => (size === null ? '' : sizeText(size, language))),
    ...wooAttribute(2, words.labels.colour, ({ garment }) =>
      capitalise(words.values.Colour[tagText(garment, 'Colour')] ?? ''),
    ),
    ...wooAttribute(3, words.labels.material, ({ garment }) => tagText(garment, 'Material').replaceAll(', ', ' / ')),
    ...wooAttribute(4, words.labels.condition, ({ condition }) =>
      condition === undefined ? '' : words.conditions[condition],
    ),
  ]
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const wooCommerceRules: ShopRules = {
  source: 'https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema',
  read: '2026-11-29, from a stored copy',
}
