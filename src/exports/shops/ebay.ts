import { valueOf } from '../../platform/value-of.ts'
import { type Language, type ListedAttribute, listingWords } from '../../garments/listing-texts/listing-words.ts'
import { toHtml } from '../../garments/listing-texts/write-listing.ts'
import { type Column, tagText } from '../export-columns.ts'
import { ebayCategory, ebayCondition } from './shop-words.ts'
import { wearers } from '../../vision/attributes/wearer.ts'
import { ebayCategoryName, type EbaySite } from './export-defaults.ts'
import { itemOf } from '../../vision/taxonomy/item-types.ts'
import { ebaySize, isForeignSize } from './market-size.ts'
import { type Product, shortId } from './product.ts'
import { address, amount, barcode, type RowProblem, type ShopRules } from './shop-rules.ts'

/** Builds the first header, which names the eBay site, country and currency. */
const ebayAction = ({ siteId, country, currency }: EbaySite): string =>
  `Action(SiteID=${siteId}|Country=${country}|Currency=${currency}|Version=1193|CC=UTF-8)`

/** Builds the rows above the header that identify the eBay template. */
export const ebayInfo = ({ template }: EbaySite): readonly (readonly string[])[] => [
  ['#INFO', 'Version=0.0.2', `Template= eBay-draft-listings-template_${template}`],
  ['#INFO'],
]

function categoryOf({ ebayCategory: own, itemType, wearer }: Product): string {
  if (own !== '' || itemType === undefined) return own
  return wearer === undefined ? '' : ebayCategory(itemType, wearer)
}

/**
 * Names of item specifics by the site's language. Only those of eBay.com were compared with eBay's lists. eBay accepts
 * unknown names as custom specifics. British and Irish sites spell `Colour`.
 */
const specificNames: Readonly<Record<Language, string>> = {
  en: 'Brand, Size, US Shoe Size, Department, Type, Color, Material, Pattern, Sleeve Length, Neckline, Fit, Closure',
  de: 'Marke, Größe, EU-Schuhgröße, Abteilung, Produktart, Farbe, Material, Muster, Ärmellänge, Ausschnitt, Passform, Verschluss',
  fr: 'Marque, Taille, Pointure EU, Département, Type, Couleur, Matière, Motif, Longueur des manches, Encolure, Coupe, Fermeture',
  es: 'Marca, Talla, Número de calzado EU, Departamento, Tipo, Color, Material, Estampado, Largo de manga, Escote, Ajuste, Cierre',
  it: 'Marca, Taglia, Numero di scarpa EU, Reparto, Tipo, Colore, Materiale, Fantasia, Lunghezza maniche, Scollo, Vestibilità, Chiusura',
}

/** Departments in the order of `wearers`. */
const departments: Readonly<Record<Language, string>> = {
  en: 'Men, Women, Unisex Adults, Boys, Girls, Unisex Kids, Baby',
  de: 'Herren, Damen, Unisex Erwachsene, Jungen, Mädchen, Unisex Kinder, Baby',
  fr: 'Homme, Femme, Mixte, Garçon, Fille, Enfant, Bébé',
  es: 'Hombre, Mujer, Unisex, Niño, Niña, Niños, Bebé',
  it: 'Uomo, Donna, Unisex, Bambino, Bambina, Bambini, Neonato',
}

/** Drops the preposition that a value has in titles, as in “mit Streifen”. */
const alone = (text: string) =>
  text.replace(/^(mit|im|à|de|du|en|con|a|di|da)\s+/i, '').replace(/^./, (letter) => letter.toUpperCase())

/** Returns an attribute's value in the site's language. */
function wordOf({ garment }: Product, name: ListedAttribute, { language, country }: EbaySite): string {
  const text = tagText(garment, name)
  if (language !== 'en') return alone(valueOf(listingWords[language].values[name], text) ?? '')
  if (name === 'Colour' && country !== 'US') return text.replace(/^Multi$/, 'Multicoloured')
  if (name === 'Colour') return text.replace('Grey', 'Gray').replace(/^Multi$/, 'Multicolor')
  return text.replace(/^Plain$/, 'Solid').replace(/^None$/, 'Sleeveless')
}

function specifics(site: EbaySite): readonly Column<Product>[] {
  const { language, country } = site
  const departmentNames = departments[language].split(', ')
  const valueOf: ((product: Product) => string)[] = [
    ({ brand }) => brand,
    (product) => (isWorn(product) && !isShoe(product) ? ebaySize(product.size, site).size : ''),
    (product) => (isShoe(product) ? ebaySize(product.size, site).size : ''),
    ({ wearer }) => (wearer && departmentNames[wearers.indexOf(wearer)]) ?? '',
    ({ itemType }) =>
      itemType === undefined ? '' : language === 'en' ? itemType : alone(listingWords[language].itemTypes[itemType]),
    (product) => wordOf(product, 'Colour', site),
    ({ garment }) => tagText(garment, 'Material'),
    ...(['Pattern', 'Sleeve', 'Neckline', 'Fit', 'Closure'] as const).map(
      (name) => (product: Product) => wordOf(product, name, site),
    ),
  ]
  const names = specificNames[language]
    .replace('US Shoe Size', country === 'US' ? 'US Shoe Size' : 'UK Shoe Size')
    .replace('Color,', country === 'US' ? 'Color,' : 'Colour,')
  const columns = names
    .split(', ')
    .map((name, i): Column<Product> => [`C:${name}`, (product) => valueOf[i]?.(product) ?? ''])
  return language === 'en' ? [...columns, ...englishSizeColumns(site)] : columns
}

/** Only the English names of these specifics are known. */
const englishSizeColumns = (site: EbaySite): readonly Column<Product>[] => [
  ['C:Size Type', (product) => (isWorn(product) ? ebaySize(product.size, site).type : '')],
  [
    site.country === 'US' ? 'C:Inseam' : 'C:Inside Leg',
    (product) => (isWorn(product) ? ebaySize(product.size, site).leg : ''),
  ],
]

const isShoe = ({ itemType }: Product): boolean => itemType !== undefined && itemOf(itemType).category === 'Shoes'

const isWorn = ({ itemType }: Product): boolean => itemType !== 'Bag'

/** Finds missing or unsuitable values for the rules that eBay has for clothing and shoes. */
export const findEbayProblems =
  (site: EbaySite) =>
  (product: Product): RowProblem[] => {
    const { itemType, wearer, brand, size, sizeWords } = product
    const names = specificNames[site.language].split(', ')
    const sizeColumn = `C:${isShoe(product) ? names[2] : names[1]}`
    const needsSize = itemType !== undefined && itemOf(itemType).category !== 'Accessories'
    const problems: RowProblem[] = []
    const add = (column: string, problem: string, isRefused = false) => problems.push({ column, problem, isRefused })
    if (itemType !== undefined && categoryOf(product) === '')
      add(
        'Category ID',
        wearer === undefined
          ? 'depends on the wearer, who is unknown; choose For in the defaults, once for all such garments'
          : `is not public for ${ebayCategoryName(itemType, wearer)}; enter it once under eBay categories in the defaults`,
        true,
      )
    if (brand === '') add(`C:${names[0]}`, 'is missing')
    if (needsSize && sizeWords === '') add(sizeColumn, 'is missing')
    if (size !== null && isForeignSize(size, site))
      add(sizeColumn, `is “${ebaySize(size, site).size}”, but buyers on ${site.name} choose sizes of their own country`)
    return problems
  }

/**
 * The columns of eBay's draft listings template (Seller Hub reports). Only action and category are required, because
 * the seller completes drafts in Seller Hub. A price in a foreign currency keeps its code, so that eBay refuses it.
 */
export const ebayColumns = (site: EbaySite): readonly Column<Product>[] => [
  [ebayAction(site), () => 'Draft', { isRequired: true, values: ['Draft'] }],
  ['Custom label (SKU)', ({ sku }) => shortId(sku, 50), { maxLength: 50 }],
  ['Category ID', categoryOf, { isRequired: true, pattern: /^\d{1,10}$/, meaning: 'the number of a category' }],
  ['Title', ({ listing }) => listing.title, { isExpected: true, maxLength: 80 }],
  ['UPC', ({ barcode: gtin }) => gtin, barcode],
  [
    'Price',
    ({ price, currency }) => (currency === site.currency || price === '' ? price : `${price} ${currency}`),
    { ...amount, isExpected: true, meaning: "an amount in the site's currency, such as 12.50" },
  ],
  ['Quantity', ({ stock }) => stock, { pattern: /^\d{1,9}$/, meaning: 'a whole number' }],
  [
    'Item photo URL',
    ({ imageUrls }) => imageUrls.map((url) => url.replaceAll('|', '%7C')).join('|'),
    { ...address, isExpected: true, addresses: '|' },
  ],
  ['Condition ID', ebayCondition, { isExpected: true, values: ['1000', '1500', '1750', '2990', '3000', '3010'] }],
  ['Description', ({ listing }) => toHtml(listing)],
  ['Format', () => 'FixedPrice', { values: ['FixedPrice', 'Auction'] }],
  ...specifics(site),
]

export const ebayRules: ShopRules = {
  source:
    'Seller Hub > Reports > Upload > Download template > Listings (eBay-draft-listings-template, version 0.0.2), and ' +
    'https://developer.ebay.com/api-docs/sell/static/metadata/condition-id-values.html',
  read: '2026-11-22, copies of the template of 2026-07-08 in public projects, and a stored copy of the page',
  unverified:
    'Only signed-in sellers can read eBay’s lists of categories, sizes and item specifics, so those values were not ' +
    'compared with them. Upload a few rows first.',
}
