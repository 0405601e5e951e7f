import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Authorship, recordEntry } from '../../accounts/audit.ts'
import { type Database, runBatch, selectValues } from '../../platform/db/database.ts'
import { exportDefaults, tenantState } from '../../platform/db/schema.ts'
import { conditions, parseListingValues } from '../../garments/listing-values.ts'
import { parseValues } from '../../garments/garment-fields.ts'
import { languages } from '../../garments/listing-texts/listing-words.ts'
import { readWearer, type Wearer, wearers } from '../../vision/attributes/wearer.ts'
import { type ItemType, itemTypes } from '../../vision/taxonomy/item-types.ts'

/** Supported eBay sites, with the codes that the first header needs. */
export const ebaySites = [
  { name: 'eBay.com', siteId: 'US', country: 'US', currency: 'USD', template: 'US', language: 'en' },
  { name: 'eBay.co.uk', siteId: 'UK', country: 'GB', currency: 'GBP', template: 'GB', language: 'en' },
  { name: 'eBay.ie', siteId: 'Ireland', country: 'IE', currency: 'EUR', template: 'IE', language: 'en' },
  { name: 'eBay.de', siteId: 'Germany', country: 'DE', currency: 'EUR', template: 'DE', language: 'de' },
  { name: 'eBay.at', siteId: 'Austria', country: 'AT', currency: 'EUR', template: 'AT', language: 'de' },
  { name: 'eBay.fr', siteId: 'France', country: 'FR', currency: 'EUR', template: 'FR', language: 'fr' },
  { name: 'eBay.it', siteId: 'Italy', country: 'IT', currency: 'EUR', template: 'IT', language: 'it' },
  { name: 'eBay.es', siteId: 'Spain', country: 'ES', currency: 'EUR', template: 'ES', language: 'es' },
] as const

export type EbaySite = (typeof ebaySites)[number]

export const availabilities = ['in_stock', 'out_of_stock', 'preorder', 'backorder'] as const
export const ageGroups = ['newborn', 'infant', 'toddler', 'kids', 'adult'] as const

export const firstPictures = ['cut-out'] as const

/** Width to height of cut-outs. */
export const cutoutRatios = ['1:1', '4:5', '3:4'] as const

const yes = ['yes'] as const

/** Accepts empty text as well, because browsers send empty form fields. */
const orEmpty = <T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(['', ...values], `must be one of ${values.join(', ')}`)

const text = (maxLength: number) => z.string().trim().max(maxLength, `must be at most ${maxLength} characters`)

/** Checks a default for a listing value. Each field is checked alone, so that a form shows all problems at once. */
const ownValue = (name: string) =>
  z
    .string()
    .trim()
    .superRefine((value, context) => {
      const message = parseListingValues({ [name]: value }).problems.get(name)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })

/** Returns the name of a garment type and a wearer in the default `ebay_categories`, such as `Dress, girls`. */
export const ebayCategoryName = (itemType: ItemType, wearer: Wearer): string => `${itemType}, ${wearer}`

/**
 * Parses lines such as `Dress, girls: 12345` to categories by name, and returns the lines that it cannot read.
 */
export function parseEbayCategories(text: string) {
  const categories = new Map<string, string>()
  const unread: string[] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const [, typeName = '', wearerName = '', category = ''] = /^([^,]+),\s*([^:]+?)\s*:\s*(\d{1,10})$/.exec(line) ?? []
    const itemType = itemTypes.find((each) => each.toLowerCase() === typeName.trim().toLowerCase())
    const wearer = readWearer(wearerName)
    if (itemType === undefined || wearer === undefined) unread.push(line)
    else categories.set(ebayCategoryName(itemType, wearer), category)
  }
  return { categories, unread }
}

/** Defaults for listing values that a garment lacks. Empty means no default. */
const fields = {
  language: z.enum(languages, `must be one of ${languages.join(', ')}`).default('en'),
  currency: ownValue('currency'),
  price: ownValue('price'),
  condition: orEmpty(conditions),
  stock: ownValue('stock'),
  availability: orEmpty(availabilities),
  brand: text(100),
  size: ownValue('size'),
  gender: orEmpty(wearers),
  age_group: orEmpty(ageGroups),
  link: text(1000).refine(
    (link) => link === '' || (URL.canParse(link) && /^https?:/.test(link) && /\{(uuid|sku|handle)\}/.test(link)),
    'must be an address with {uuid}, {sku} or {handle}, such as https://example.com/products/{handle}',
  ),
  ebay_site: z
    .enum(
      ebaySites.map(({ name }) => name),
      'must be a known site',
    )
    .default('eBay.com'),
  ebay_category: text(10).regex(/^\d*$/, 'must be a number'),
  ebay_categories: text(4000)
    .superRefine((lines, context) => {
      const [line] = parseEbayCategories(lines).unread
      if (line !== undefined)
        context.addIssue({ code: 'custom', message: `must have lines such as “Dress, girls: 12345”, unlike “${line}”` })
    })
    .default(''),
  first_picture: orEmpty(firstPictures),
  cutout_ratio: z.enum(cutoutRatios, `must be one of ${cutoutRatios.join(', ')}`).default('1:1'),
  without_size: orEmpty(yes).default(''),
  without_material: orEmpty(yes).default(''),
  without_measurements: orEmpty(yes).default(''),
}

export const exportDefaultsSchema = z.object(fields).transform(parseValues)

export const defaultNames = Object.keys(fields)

export type ExportDefaults = Readonly<z.infer<typeof exportDefaultsSchema>>

/** Defaults of a tenant without saved defaults: a shop that sells single pieces. */
const initialDefaults = (currency: string): ExportDefaults => ({
  language: 'en',
  currency,
  price: '',
  condition: '',
  stock: '1',
  availability: 'in_stock',
  brand: '',
  size: '',
  gender: '',
  age_group: 'adult',
  link: '',
  // An eBay site accepts prices in its own currency only.
  ebay_site: ebaySites.find((site) => site.currency === currency)?.name ?? 'eBay.com',
  ebay_category: '',
  ebay_categories: '',
  first_picture: '',
  cutout_ratio: '1:1',
  without_size: '',
  without_material: '',
  without_measurements: '',
})

/** @param currency the tenant's currency, for tenants without a saved one */
export function parseExportDefaults(stored: string | null, currency: string): ExportDefaults {
  const initial = initialDefaults(currency)
  if (stored === null) return initial
  return exportDefaultsSchema.parse({ ...initial, ...z.record(z.string(), z.string()).parse(JSON.parse(stored)) })
}

/** SQL expression for a tenant's saved defaults, which `parseExportDefaults` reads; null if there are none. */
export const storedExportDefaults = (tenantId: string) =>
  sql<string | null>`(SELECT defaults FROM ${exportDefaults} WHERE tenant_id = ${tenantId})`

export async function putExportDefaults(
  db: Database,
  tenantId: string,
  defaults: ExportDefaults,
  authorship: Authorship,
): Promise<void> {
  const row = { tenantId, defaults: JSON.stringify(defaults), files: '{}' }
  await runBatch(db, {
    defaults: db
      .insert(exportDefaults)
      .select(db.select(selectValues(exportDefaults, row)).from(tenantState).where(eq(tenantState.tenantId, tenantId)))
      .onConflictDoUpdate({ target: exportDefaults.tenantId, set: { defaults: row.defaults } }),
    entry: recordEntry(db, { holderId: tenantId, action: 'export.defaults', subject: '' }, authorship),
  })
}
