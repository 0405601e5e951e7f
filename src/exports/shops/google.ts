import { toText } from '../../garments/listing-texts/write-listing.ts'
import { type Column, tagText } from '../columns.ts'
import { attributeColumns, conditionWord, genderWord, googleCategory } from './shop-words.ts'
import { type Product, shorten, shortId } from './product.ts'
import { ageGroups, availabilities } from './defaults.ts'
import type { ShopRules } from './rules.ts'

const productType = ({ garment }: Product) =>
  [tagText(garment, 'Category'), tagText(garment, 'Item Type')].filter((part) => part !== '').join(' > ')

/** Whether the maker gave the garment a number, or a brand and a model; most second-hand garments have neither. */
const hasIdentifier = ({ barcode, brand, mpn }: Product) => barcode !== '' || (brand !== '' && mpn !== '')

const sizeSystems = ['AU', 'BR', 'CN', 'DE', 'EU', 'FR', 'IT', 'JP', 'MEX', 'UK', 'US']

/** The country whose sizes a size names, as in `EU 38`; empty if it names none. */
const sizeSystem = (size: string) =>
  sizeSystems.find((each) =>
    size
      .toUpperCase()
      .split(/[^A-Z]+/)
      .includes(each),
  ) ?? ''

/** The attributes of Google Merchant Center's product data. */
export const googleColumns = (): readonly Column<Product>[] => [
  ['id', ({ garment }) => shortId(garment.uuid, 50)],
  ['title', ({ listing }) => shorten(listing.title, 150)],
  ['description', ({ listing }) => shorten(toText(listing), 5000)],
  ['link', ({ link }) => link],
  ['image_link', ({ imageUrls: [first] }) => first],
  ['additional_image_link', ({ imageUrls: [, ...more] }) => more.map((url) => url.replaceAll(',', '%2C')).join(',')],
  ['availability', ({ availability }) => availability],
  ['price', ({ price, currency }) => (price === '' ? '' : `${price} ${currency}`)],
  ['condition', conditionWord],
  ['brand', ({ brand }) => shorten(brand, 70)],
  ['gtin', ({ barcode }) => barcode],
  ['mpn', ({ mpn }) => mpn],
  ['identifier_exists', (product) => (hasIdentifier(product) ? 'yes' : 'no')],
  ['google_product_category', ({ itemType }) => (itemType === undefined ? '' : googleCategory(itemType))],
  ['product_type', productType],
  ['gender', genderWord],
  ['age_group', ({ ageGroup }) => ageGroup],
  ...attributeColumns(({ googleColumn }) => googleColumn),
  ['size', ({ size }) => size],
  ['size_system', ({ size }) => sizeSystem(size)],
  ['custom_label_0', ({ shelf }) => shelf],
]

/** Google's product data, for clothing and accessories that are sold in any country. */
export const googleRules: ShopRules = {
  name: 'Google Merchant',
  source:
    'https://support.google.com/merchants/answer/7052112 (product data specification) and the pages of its attributes',
  read: '2026-11-22, stored copies of the pages',
  columns: {
    id: { isRequired: true, maxLength: 50 },
    title: { isRequired: true, maxLength: 150 },
    description: { isRequired: true, maxLength: 5000 },
    link: { isRequired: true, maxLength: 2000, pattern: /^https?:\/\/\S+$/, meaning: 'an address' },
    image_link: {
      isRequired: true,
      maxLength: 2000,
      pattern: /^https?:\/\/\S+$/,
      meaning: 'a public address',
      addresses: '',
    },
    // Up to ten, of 2,000 characters each.
    additional_image_link: { pattern: /^https?:\/\/\S+$/, meaning: 'public addresses', addresses: ',' },
    availability: { isRequired: true, values: availabilities },
    price: {
      isRequired: true,
      pattern: /^\d+\.\d\d [A-Z]{3}$/,
      meaning: 'an amount and a currency, such as 12.50 EUR',
    },
    condition: { isRequired: true, values: ['new', 'refurbished', 'used'] },
    brand: { maxLength: 70 },
    gtin: { pattern: /^\d{8,14}$/, meaning: '8 to 14 digits' },
    mpn: { maxLength: 70 },
    identifier_exists: { values: ['yes', 'no'] },
    google_product_category: { pattern: /^\d+$/, meaning: 'a number' },
    product_type: { maxLength: 750 },
    gender: { isRequired: true, values: ['male', 'female', 'unisex'] },
    age_group: { isRequired: true, values: ageGroups },
    color: { isRequired: true, maxLength: 100 },
    // Clothing and shoes should have one; some countries sell without it.
    size: { isExpected: true, maxLength: 100 },
    size_system: { values: sizeSystems },
    material: { maxLength: 200 },
    pattern: { maxLength: 100 },
    custom_label_0: { maxLength: 100 },
  },
}
