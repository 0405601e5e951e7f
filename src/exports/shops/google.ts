import { toText } from '../../garments/listing-texts/write-listing.ts'
import { type Column, tagText } from '../export-columns.ts'
import { attributeColumns, conditionWord, genderWord, googleCategory } from './shop-words.ts'
import { type Product, shorten, shortId } from './product.ts'
import { ageGroups, availabilities } from './export-defaults.ts'
import { address, barcode, number, type ShopRules } from './shop-rules.ts'

const productType = ({ garment }: Product) =>
  [tagText(garment, 'Category'), tagText(garment, 'Item Type')].filter((part) => part !== '').join(' > ')

/** True if the garment has a barcode, or a brand and a model number. Most second-hand garments have neither. */
const hasIdentifier = ({ barcode, brand, mpn }: Product) => barcode !== '' || (brand !== '' && mpn !== '')

const sizeSystems = ['AU', 'BR', 'CN', 'DE', 'EU', 'FR', 'IT', 'JP', 'MEX', 'UK', 'US']

/** Returns the size system named in a size such as `EU 38`; empty if there is none. */
const sizeSystem = (size: string) =>
  sizeSystems.find((each) =>
    size
      .toUpperCase()
      .split(/[^A-Z]+/)
      .includes(each),
  ) ?? ''

/** The columns of Google Merchant Center product data for apparel. */
export const googleColumns = (): readonly Column<Product>[] => [
  ['id', ({ garment }) => shortId(garment.uuid, 50), { isRequired: true, maxLength: 50 }],
  ['title', ({ listing }) => shorten(listing.title, 150), { isRequired: true, maxLength: 150 }],
  ['description', ({ listing }) => shorten(toText(listing), 5000), { isRequired: true, maxLength: 5000 }],
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
    { isRequired: true, pattern: /^\d+\.\d\d [A-Z]{3}$/, meaning: 'an amount and a currency, such as 12.50 EUR' },
  ],
  ['condition', conditionWord, { isRequired: true, values: ['new', 'refurbished', 'used'] }],
  ['brand', ({ brand }) => shorten(brand, 70), { maxLength: 70 }],
  ['gtin', ({ barcode: text }) => text, barcode],
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
  // Required for clothing and shoes in some countries only.
  ['size', ({ size }) => size, { isExpected: true, maxLength: 100 }],
  ['size_system', ({ size }) => sizeSystem(size), { values: sizeSystems }],
  ['custom_label_0', ({ shelf }) => shelf, { maxLength: 100 }],
]

export const googleRules: ShopRules = {
  source:
    'https://support.google.com/merchants/answer/7052112 (product data specification) and the pages of its attributes',
  read: '2026-11-22, stored copies of the pages',
}
