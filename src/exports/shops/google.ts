import { toText } from '../../garments/listing-texts/write-listing.ts'
import { type Column, tagText } from '../export-columns.ts'
import { attributeColumns, conditionWord, genderWord, googleCategory } from './shop-words.ts'
import { cutText } from '../../garments/listing-texts/cut-text.ts'
import { itemOf } from '../../vision/taxonomy/item-types.ts'
import { googleSize, googleSizeSystems } from './market-size.ts'
import { type Product, shortId } from './product.ts'
import { ageGroups, availabilities } from './export-defaults.ts'
import { address, globalBarcode, number, type RowProblem, type ShopRules } from './shop-rules.ts'

const productType = ({ garment }: Product) =>
  [tagText(garment, 'Category'), tagText(garment, 'Item Type')].filter((part) => part !== '').join(' > ')

/** True if the garment has a barcode, or a brand and a model number. Most second-hand garments have neither. */
const hasIdentifier = ({ barcode, brand, mpn }: Product) => barcode !== '' || (brand !== '' && mpn !== '')

/** Google asks only clothing and shoes for a size, and takes it of nothing else. */
const isSized = ({ itemType }: Product): boolean =>
  itemType !== undefined && itemOf(itemType).category !== 'Accessories'

const sizeOf = (product: Product) => googleSize(isSized(product) ? product.size : null)

/** The columns of Google Merchant Center product data for apparel. */
export const googleColumns = (): readonly Column<Product>[] => [
  ['id', ({ sku }) => shortId(sku, 50), { isRequired: true, maxLength: 50 }],
  ['title', ({ listing }) => listing.title, { isRequired: true, maxLength: 150 }],
  ['description', ({ listing }) => cutText(toText(listing), 5000), { isRequired: true, maxLength: 5000 }],
  ['link', ({ link }) => link, { ...address, isRequired: true, maxLength: 2000 }],
  ['image_link', ({ imageUrls: [first] }) => first, { ...address, isRequired: true, maxLength: 2000, addresses: '' }],
  [
    'additional_image_link',
    ({ imageUrls: [, ...more] }) => more.map((url) => url.replaceAll(',', '%2C')).join(','),
    // Google accepts up to ten URLs of 2,000 characters each.
    { ...address, addresses: ',' },
  ],
  ['availability', ({ availability }) => availability, { isRequired: true, values: availabilities }],
  [
    'price',
    ({ price, currency }) => (price === '' ? '' : `${price} ${currency}`),
    {
      isRequired: true,
      pattern: /^\d+\.\d\d [A-Z]{3}$/,
      meaning: 'an amount and a currency, such as 12.50 EUR',
      findProblem: (text) => (Number.parseFloat(text) > 0 ? undefined : 'is 0'),
    },
  ],
  ['condition', conditionWord, { isRequired: true, values: ['new', 'refurbished', 'used'] }],
  ['brand', ({ brand }) => cutText(brand, 70), { maxLength: 70 }],
  ['gtin', ({ barcode }) => barcode, globalBarcode],
  ['mpn', ({ mpn }) => mpn, { maxLength: 70 }],
  ['identifier_exists', (product) => (hasIdentifier(product) ? 'yes' : 'no'), { values: ['yes', 'no'] }],
  ['google_product_category', ({ itemType }) => (itemType === undefined ? '' : googleCategory(itemType)), number],
  ['product_type', productType, { maxLength: 750 }],
  ['gender', genderWord, { isRequired: true, values: ['male', 'female', 'unisex'] }],
  ['age_group', ({ ageGroup }) => ageGroup, { isRequired: true, values: ageGroups }],
  ...attributeColumns(({ googleColumn }) => googleColumn, {
    color: { isRequired: true, maxLength: 100 },
    material: { maxLength: 200 },
    pattern: { maxLength: 100 },
  }),
  ['size', (product) => sizeOf(product).size, { maxLength: 100 }],
  ['size_system', (product) => sizeOf(product).system, { values: googleSizeSystems }],
  ['size_type', (product) => sizeOf(product).type],
  ['custom_label_0', ({ shelf }) => shelf, { maxLength: 100 }],
]

/** A size is required of clothing and shoes, and of nothing else. */
export const findGoogleProblems = (product: Product): RowProblem[] =>
  isSized(product) && product.sizeWords === '' ? [{ column: 'size', problem: 'is missing', isRefused: true }] : []

export const googleRules: ShopRules = {
  source:
    'https://support.google.com/merchants/answer/7052112 (product data specification) and the pages of its attributes',
  read: '2026-11-29, stored copies of the pages',
}
