import { isUploadedFile } from '../garment/uploaded-file.ts'
import { catalogue } from '../vision/attributes/catalogue.ts'
import type { Catalogue, CatalogueEntry } from '../vision/attributes/catalogue-entry.ts'
import type { Column } from './csv.ts'
import type { ExportedGarment } from './to-export-response.ts'
import { tagText } from './result-columns.ts'

const tag = (name: string) => (garment: ExportedGarment) => tagText(garment, name)
const attribute = (name: string) => (garment: ExportedGarment) => garment.attribute[name] ?? ''

/** The description's first sentence without its full stop. */
const title = ({ description }: ExportedGarment) => description.split('. ')[0]?.replace(/\.$/, '') ?? ''

const productType = (garment: ExportedGarment) =>
  [tagText(garment, 'Category'), tagText(garment, 'Item Type')].filter((part) => part !== '').join(' > ')

/** Empty for a file that was uploaded, which has no public address. */
const imageLink = ({ image_url }: ExportedGarment) => (isUploadedFile(image_url) ? '' : image_url)

/** The text of an attribute in the words that both shops know; empty if it has no value. */
function shopText(garment: ExportedGarment, { name, shopWord }: CatalogueEntry): string {
  const text = tagText(garment, name)
  return text === '' ? '' : (shopWord?.(text) ?? text)
}

/** A column for each that the attributes name, filled by the first of its attributes that has a value. */
function attributeColumns(entries: Catalogue, columnOf: (entry: CatalogueEntry) => string | undefined): Column[] {
  const columns = Map.groupBy(entries, columnOf)
  return [...columns].flatMap(([name, filling]): Column[] =>
    name === undefined
      ? []
      : [[name, (garment) => filling.map((entry) => shopText(garment, entry)).find((text) => text !== '') ?? '']],
  )
}

/** The columns of Shopify's product import. */
export const shopifyColumns = (entries: Catalogue = catalogue): readonly Column[] => [
  ['Handle', ({ uuid }) => uuid],
  ['Title', title],
  ['Body (HTML)', ({ description }) => escapeHtml(description)],
  ['Vendor', tag('Brand')],
  ['Type', tag('Item Type')],
  [
    'Tags',
    (garment) =>
      entries
        .map(({ name, isShopifyTag }) => (isShopifyTag === true ? tagText(garment, name) : ''))
        .filter((value) => value !== '')
        .join(', '),
  ],
  ['Image Src', imageLink],
  ['Image Alt Text', ({ description }) => description],
  ...attributeColumns(entries, ({ shopifyColumn }) => shopifyColumn),
  ['Size (product.metafields.shopify.size)', attribute('Size')],
  ['Status', () => 'draft'],
]

/** The attributes of Google Merchant Center's product data. */
export const googleColumns = (entries: Catalogue = catalogue): readonly Column[] => [
  ['id', ({ uuid }) => uuid],
  ['title', title],
  ['description', ({ description }) => description],
  ['image_link', imageLink],
  ['brand', tag('Brand')],
  ['product_type', productType],
  ...attributeColumns(entries, ({ googleColumn }) => googleColumn),
  ['size', attribute('Size')],
]

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
