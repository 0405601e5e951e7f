import { toHtml } from '../../garments/listing-texts/write-listing.ts'
import { attributes } from '../../vision/attributes/attribute-catalogue.ts'
import { measurementNames } from '../../garments/corrections/allowed-values.ts'
import { type Column, tagText } from '../export-columns.ts'
import { attributeColumns, conditionWord, genderWord, googleCategory, shopifyCategory } from './shop-words.ts'
import { cutText } from '../../garments/listing-texts/cut-text.ts'
import { sizeText } from '../../garments/sizes/size-text.ts'
import { type Product, sureMeasurements } from './product.ts'
import { address, amount, type ColumnRule, number, type ShopRules } from './shop-rules.ts'

const oneTag = (text: string) => text.replaceAll(',', ' ').trim()

function tagsOf({ garment, condition, shelf }: Product): string {
  const ofTag = attributes.map(({ name, isShopifyTag }) => (isShopifyTag === true ? tagText(garment, name) : ''))
  return [...ofTag, condition ?? '', shelf && `Shelf ${shelf}`]
    .map(oneTag)
    .filter((text) => text !== '')
    .join(', ')
}

/** Maps our colours to the handles of Shopify's colour metaobjects. */
const colours: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    black: ['Black'],
    gray: ['Charcoal', 'Grey', 'Light Grey'],
    white: ['White', 'Off White'],
    beige: ['Cream', 'Beige', 'Tan', 'Khaki', 'Blush', 'Peach'],
    brown: ['Camel', 'Taupe', 'Brown', 'Dark Brown', 'Rust'],
    green: ['Olive', 'Sage', 'Green', 'Dark Green', 'Mint', 'Lime', 'Teal'],
    blue: ['Turquoise', 'Light Blue', 'Blue', 'Royal Blue', 'Denim Blue'],
    navy: ['Navy'],
    purple: ['Purple', 'Lavender', 'Mauve', 'Plum'],
    pink: ['Pink', 'Hot Pink', 'Coral'],
    red: ['Red', 'Burgundy'],
    orange: ['Orange'],
    yellow: ['Mustard', 'Yellow'],
    multicolor: ['Multi'],
  }).flatMap(([handle, names]) => names.map((name) => [name, handle])),
)

export const colourHandle = (colour: string): string => (Object.hasOwn(colours, colour) ? (colours[colour] ?? '') : '')

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const ofItemType = ({ itemType }: Product, categoryOf: typeof shopifyCategory) =>
  itemType === undefined ? '' : categoryOf(itemType)

const metafieldOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_')
    .replace(/_$/, '')

const yesOrNo: ColumnRule = { values: ['TRUE', 'FALSE'] }

/** The columns of Shopify's product import, as renamed in 2025. Each product is a draft with one variant. */
export const shopifyColumns = (): readonly Column<Product>[] => [
  ['Title', ({ listing }) => listing.title, { isRequired: true, maxLength: 255 }],
  [
    'URL handle',
    ({ handle }) => handle,
    {
      isRequired: true,
      maxLength: 255,
      pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
      meaning: 'lower-case letters, digits and hyphens',
    },
  ],
  ['Description', ({ listing }) => toHtml(listing)],
  ['Vendor', ({ brand }) => brand, { maxLength: 255 }],
  [
    'Product category',
    (product) => ofItemType(product, shopifyCategory),
    { pattern: /^Apparel & Accessories( > [^>]+)+$/, meaning: 'a category of its taxonomy' },
  ],
  ['Type', ({ garment }) => tagText(garment, 'Item Type'), { maxLength: 255 }],
  ['Tags', tagsOf],
  ['Published on online store', () => 'FALSE', yesOrNo],
  ['Status', () => 'Draft', { isRequired: true, values: ['Active', 'Draft', 'Archived'] }],
  ['SKU', ({ sku }) => sku],
  ['Barcode', ({ barcode }) => barcode, { pattern: /^\d{8,14}$/, meaning: '8 to 14 digits' }],
  // Shopify's convention for a product without options.
  ['Option1 name', ({ size }) => (size === null ? 'Title' : 'Size'), { isRequired: true }],
  [
    'Option1 value',
    ({ size }) => (size === null ? 'Default Title' : sizeText(size)),
    { isRequired: true, maxLength: 255 },
  ],
  ['Price', ({ price }) => price, { ...amount, isExpected: true }],
  ['Charge tax', () => 'TRUE', yesOrNo],
  ['Inventory tracker', ({ stock }) => (stock === '' ? '' : 'shopify'), { values: ['shopify'] }],
  ['Inventory quantity', ({ stock }) => stock, { pattern: /^\d{1,9}$/, meaning: 'a whole number' }],
  ['Continue selling when out of stock', () => 'DENY', { values: ['DENY', 'CONTINUE'] }],
  ['Requires shipping', () => 'TRUE', yesOrNo],
  ['Fulfillment service', () => 'manual', { isRequired: true, values: ['manual'] }],
  ['Product image URL', ({ imageUrls: [first] }) => first, { ...address, isExpected: true, addresses: '' }],
  ['Image position', ({ imageUrls: [first] }) => (first === '' ? '' : '1'), number],
  ['Image alt text', ({ listing }) => cutText(listing.title, 512), { maxLength: 512 }],
  ['Gift card', () => 'FALSE', yesOrNo],
  ['Color (product.metafields.shopify.color-pattern)', ({ garment }) => colourHandle(tagText(garment, 'Colour'))],
  ...attributeColumns(({ shopifyColumn }) => shopifyColumn),
  // Shopify fills these only in shops that have defined the metafields.
  ...measurementNames.map((name): Column<Product> => [
    `${name} (product.metafields.custom.${metafieldOf(name)})`,
    ({ garment }) => String(sureMeasurements(garment)[name] ?? ''),
  ]),
  ['Google Shopping / Google product category', (product) => ofItemType(product, googleCategory), number],
  ['Google Shopping / Gender', (product) => capitalised(genderWord(product)), { values: ['Male', 'Female', 'Unisex'] }],
  [
    'Google Shopping / Age group',
    ({ ageGroup }) => capitalised(ageGroup),
    { values: ['Newborn', 'Infant', 'Toddler', 'Kids', 'Adult'] },
  ],
  [
    'Google Shopping / Condition',
    (product) => capitalised(conditionWord(product)),
    { values: ['New', 'Refurbished', 'Used'] },
  ],
]

/** Builds a row with handle and picture columns for each picture after the first. */
export const shopifyImageRows = ({
  handle,
  imageUrls,
  listing,
}: Product): readonly Readonly<Record<string, string>>[] =>
  imageUrls.slice(1).map((url, index) => ({
    'URL handle': handle,
    'Product image URL': url,
    'Image position': String(index + 2),
    'Image alt text': cutText(listing.title, 512),
  }))

export const shopifyRules: ShopRules = {
  source: 'https://help.shopify.com/en/manual/products/import-export/using-csv and its product_template.csv',
  read: '2026-11-22, stored copies of the page and of the sample file',
}
