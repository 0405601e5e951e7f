import { valueOf } from '../platform/value-of.ts'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Authorship, recordEntry } from '../accounts/audit.ts'
import { correctableNames, measurementNames } from '../garments/corrections/allowed-values.ts'
import { formatNumber } from '../garments/list/garment-number.ts'
import { toText } from '../garments/listing-texts/write-listing.ts'
import { readListingValue, stageOf } from '../garments/listing-values.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { exportDefaults, tenantState } from '../platform/db/schema.ts'
import { ApiError } from '../platform/http/errors.ts'
import { type Column, tagText } from './export-columns.ts'
import { sizeText } from '../garments/sizes/size-text.ts'
import { type Product, sureMeasurements } from './shops/product.ts'

/** Values for the columns of a tenant's own file, by the name that the form shows and the file stores. */
const values: Readonly<Record<string, (product: Product) => string>> = {
  Title: ({ listing }) => listing.title,
  Text: ({ listing }) => toText(listing),
  Price: ({ price }) => price,
  Currency: ({ currency }) => currency,
  'Price with currency': ({ price, currency }) => price && `${price} ${currency}`.trim(),
  Brand: ({ brand }) => brand,
  Size: ({ size }) => (size === null ? '' : sizeText(size)),
  Condition: ({ condition }) => condition ?? '',
  Stock: ({ stock }) => stock,
  Availability: ({ availability }) => availability,
  SKU: ({ sku }) => sku,
  Barcode: ({ barcode }) => barcode,
  Shelf: ({ shelf }) => shelf,
  Stage: ({ garment }) => stageOf(garment.attribute),
  Link: ({ link }) => link,
  Picture: ({ imageUrls: [first] }) => first,
  Pictures: ({ imageUrls }) => imageUrls.join(', '),
  'Age group': ({ ageGroup }) => ageGroup,
  Number: ({ garment }) => formatNumber(garment.number),
  uuid: ({ garment }) => garment.uuid,
  // Overrides the tag `Brand` above, which the listing value already includes.
  ...Object.fromEntries(
    correctableNames()
      .filter((name) => name !== 'Brand')
      .map((name) => [name, ({ garment }: Product) => tagText(garment, name)]),
  ),
  ...Object.fromEntries(
    measurementNames.map((name) => [name, ({ garment }: Product) => String(sureMeasurements(garment)[name] ?? '')]),
  ),
}

export const valueNames: readonly string[] = Object.keys(values)

/** A quoted text, which every row gets unchanged. */
const fixedText = /^"(.*)"$/s

/** Resolves a column's value: a name in `values`, a quoted text, or the name of a client attribute. */
function toColumn([name, value]: OwnColumn): Column<Product> {
  const text = fixedText.exec(value)?.[1]
  if (text !== undefined) return [name, () => text]
  return [name, valueOf(values, value) ?? (({ garment }) => readListingValue(garment.attribute, [value]))]
}

export const toColumns = (columns: readonly OwnColumn[]): readonly Column<Product>[] => columns.map(toColumn)

export const maxColumns = 60
const maxFiles = 20

const cell = (max: number) =>
  z.string().trim().min(1, 'must not be empty').max(max, `must be at most ${max} characters`)

export const ownFileSchema = z.object({
  name: cell(64),
  columns: z
    .array(z.tuple([cell(128), cell(512)]))
    .min(1, 'must be at least one')
    .max(maxColumns, `must be at most ${maxColumns}`),
})

export type OwnFile = z.infer<typeof ownFileSchema>
export type OwnColumn = OwnFile['columns'][number]

const ownPrefix = 'own.'

/** The format name of a tenant's own file, in the form and in stored exports. */
export const ownFormat = (name: string): string => ownPrefix + name

/** Returns the name of the tenant's own file, or undefined for a built-in format. */
export const readOwnFormat = (format: string): string | undefined =>
  format.startsWith(ownPrefix) ? format.slice(ownPrefix.length) : undefined

export const presets = {
  Vinted: [
    ['Title', 'Title'],
    ['Description', 'Text'],
    ['Category', 'Item Type'],
    ['For', 'Gender'],
    ['Brand', 'Brand'],
    ['Size', 'Size'],
    ['Condition', 'Condition'],
    ['Colour', 'Colour'],
    ['Material', 'Material'],
    ['Price', 'Price'],
    ['Currency', 'Currency'],
    ['Photos', 'Pictures'],
  ],
  WooCommerce: [
    ['Type', '"simple"'],
    ['SKU', 'SKU'],
    ['Name', 'Title'],
    ['Published', '"1"'],
    ['Description', 'Text'],
    ['In stock?', '"1"'],
    ['Stock', 'Stock'],
    ['Regular price', 'Price'],
    ['Categories', 'Item Type'],
    ['Brands', 'Brand'],
    ['Images', 'Pictures'],
    ['Attribute 1 name', '"Size"'],
    ['Attribute 1 value(s)', 'Size'],
    ['Attribute 1 visible', '"1"'],
    ['Attribute 2 name', '"Colour"'],
    ['Attribute 2 value(s)', 'Colour'],
    ['Attribute 2 visible', '"1"'],
    ['Attribute 3 name', '"Material"'],
    ['Attribute 3 value(s)', 'Material'],
    ['Attribute 3 visible', '"1"'],
  ],
} as const satisfies Readonly<Record<string, readonly OwnColumn[]>>

const storedFiles = z.record(z.string(), z.unknown())

/** Parses stored own files, sorted by name. `stored` is undefined for a tenant without any. */
export const parseOwnFiles = (stored = '{}'): readonly OwnFile[] =>
  Object.entries(storedFiles.parse(JSON.parse(stored)))
    .map(([name, columns]) => ownFileSchema.parse({ name, columns }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))

export async function listOwnFiles(db: Database, tenantId: string): Promise<readonly OwnFile[]> {
  const [row] = await db
    .select({ files: exportDefaults.files })
    .from(exportDefaults)
    .where(eq(exportDefaults.tenantId, tenantId))
  return parseOwnFiles(row?.files)
}

const tooManyFiles = () =>
  new ApiError('invalid_body', 'Too many files', [`There are at most ${maxFiles} files; remove one first.`])

/** Saves an own file, replacing one of the same name. Throws 400 if the tenant has too many. */
export async function putOwnFile(db: Database, tenantId: string, { name, columns }: OwnFile, authorship: Authorship) {
  const change = sql`json_object(${name}, json(${JSON.stringify(columns)}))`
  const { saved } = await runBatch(db, {
    saved: sql<{ files: string }>`
      INSERT INTO ${exportDefaults} (tenant_id, defaults, files)
      SELECT ${tenantId}, '{}', ${change} FROM ${tenantState} WHERE tenant_id = ${tenantId}
      ON CONFLICT (tenant_id) DO UPDATE SET files = json_patch(files, excluded.files)
      WHERE (SELECT count(*) FROM json_each(${exportDefaults}.files) WHERE key <> ${name}) < ${maxFiles}
      RETURNING files`,
    entry: recordEntry(db, { holderId: tenantId, action: 'export.file', subject: name }, authorship),
  })
  if (saved.length === 0) throw tooManyFiles()
}

export async function removeOwnFile(
  db: Database,
  tenantId: string,
  name: string,
  authorship: Authorship,
): Promise<void> {
  await runBatch(db, {
    removed: db
      .update(exportDefaults)
      .set({ files: sql`json_patch(${exportDefaults.files}, json_object(${name}, NULL))` })
      .where(eq(exportDefaults.tenantId, tenantId)),
    entry: recordEntry(db, { holderId: tenantId, action: 'export.file', subject: `${name}, removed` }, authorship),
  })
}
