import { isUploadedFile } from '../garment/uploaded-file.ts'
import type { Column } from './csv.ts'
import type { ExportedGarment } from './to-export-response.ts'
import { tagText } from './result-columns.ts'

const tag = (name: string) => (garment: ExportedGarment) => tagText(garment, name)
const attribute = (name: string) => (garment: ExportedGarment) => garment.attribute[name] ?? ''

/** The description's first sentence without its full stop. */
const title = ({ description }: ExportedGarment) => description.split('. ')[0]?.replace(/\.$/, '') ?? ''

/** The merchant's own word for the material, else what the cloth looks like. */
const material = (garment: ExportedGarment) => tagText(garment, 'Material') || tagText(garment, 'Fabric Type')

const pattern = (garment: ExportedGarment) => tagText(garment, 'Pattern').replace('Plain', 'Solid')

const productType = (garment: ExportedGarment) =>
  [tagText(garment, 'Category'), tagText(garment, 'Item Type')].filter((part) => part !== '').join(' > ')

const genders: Readonly<Record<string, string>> = { "Men's": 'male', "Women's": 'female', Unisex: 'unisex' }

/** In the words that both shops know; empty for any other. */
const gender = (garment: ExportedGarment) => genders[tagText(garment, 'Gender')] ?? ''

/** Empty for a file that was uploaded, which has no public address. */
const imageLink = ({ image_url }: ExportedGarment) => (isUploadedFile(image_url) ? '' : image_url)

/** The columns of Shopify's product import. */
export const shopifyColumns: readonly Column[] = [
  ['Handle', ({ uuid }) => uuid],
  ['Title', title],
  ['Body (HTML)', ({ description }) => escapeHtml(description)],
  ['Vendor', tag('Brand')],
  ['Type', tag('Item Type')],
  [
    'Tags',
    (garment) =>
      ['Colour', 'Pattern', 'Fit', 'Closure', 'Fabric Type']
        .map((name) => tagText(garment, name))
        .filter((value) => value !== '')
        .join(', '),
  ],
  ['Image Src', imageLink],
  ['Image Alt Text', ({ description }) => description],
  ['Google Shopping / Gender', gender],
  ['Color (product.metafields.shopify.color-pattern)', tag('Colour')],
  ['Fabric (product.metafields.shopify.fabric)', material],
  ['Size (product.metafields.shopify.size)', attribute('Size')],
  ['Status', () => 'draft'],
]

/** The attributes of Google Merchant Center's product data. */
export const googleColumns: readonly Column[] = [
  ['id', ({ uuid }) => uuid],
  ['title', title],
  ['description', ({ description }) => description],
  ['image_link', imageLink],
  ['brand', tag('Brand')],
  ['product_type', productType],
  ['gender', gender],
  ['color', tag('Colour')],
  ['material', material],
  ['pattern', pattern],
  ['size', attribute('Size')],
]

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
