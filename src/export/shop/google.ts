import { toText } from '../../listing/write-listing.ts'
import { catalogue } from '../../vision/attributes/catalogue.ts'
import type { Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import type { Column } from '../csv.ts'
import { tagText } from '../result-columns.ts'
import { googleCategory } from './categories.ts'
import type { Product } from './product.ts'
import { attributeColumns, conditionWord, genderWord } from './shop-text.ts'
import { shortId, shorten } from './slug.ts'

const productType = ({ garment }: Product) =>
  [tagText(garment, 'Category'), tagText(garment, 'Item Type')].filter((part) => part !== '').join(' > ')

/** Whether the maker gave the garment a number, or a brand and a model; most second-hand garments have neither. */
const hasIdentifier = ({ barcode, brand, mpn }: Product) => barcode !== '' || (brand !== '' && mpn !== '')

/** The attributes of Google Merchant Center's product data. */
export const googleColumns = (entries: Catalogue = catalogue): readonly Column<Product>[] => [
  ['id', ({ garment }) => shortId(garment.uuid, 50)],
  ['title', ({ listing }) => shorten(listing.title, 150)],
  ['description', ({ listing }) => shorten(toText(listing), 5000)],
  ['link', ({ link }) => link],
  ['image_link', ({ imageUrl }) => imageUrl],
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
  ...attributeColumns(entries, ({ googleColumn }) => googleColumn),
  ['size', ({ size }) => size],
  ['custom_label_0', ({ shelf }) => shelf],
]
