import type { FormValues } from './form.ts'
import {
  editPath,
  exportDefaultsPath,
  exportFilesPath,
  garmentCellsPath,
  importsPath,
  reviewSection,
  savedFiltersPath,
  teamPath,
  webhookPath,
} from './paths.ts'

const garmentFields = ['tag.', 'measurements.', 'lines.', 'attribute.', 'other', 'value', 'base', 'confirm']
const shopFields = ['name', 'domain', 'description', 'language', 'purpose', 'settings.']
const endpointFields = ['enabled', 'url', 'description', 'event.', 'has_options', 'max_per_second']

/**
 * Fields that each page keeps while its user signs in again, by the path of the form. All others are dropped, such as
 * passwords, codes and secrets. A name that ends in a dot stands for all names that begin with it.
 */
const keepableFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['/dashboard/garment', garmentFields],
  ['/dashboard/garment/pictures', ['place.', 'kind.', 'remove.']],
  ['/dashboard/upload', ['uuid', 'image_url', 'attribute', 'attribute.']],
  [editPath, ['tag.', 'attribute.', 'remove.', 'other', 'value', 'scope', 'select.']],
  [garmentCellsPath, ['cell.', 'base']],
  [savedFiltersPath, ['name']],
  [reviewSection, ['tag.', 'other.', 'base', 'confirm']],
  [importsPath, ['csv', 'column.']],
  [exportDefaultsPath, ['default.']],
  [exportFilesPath, ['name', 'column.', 'value.']],
  ['/dashboard/tenant', shopFields],
  ['/dashboard/tenant/settings', shopFields],
  ['/dashboard/tenant/studios', ['studio_name', 'cm_per_pixel']],
  ['/dashboard/tenant/retention', ['retention_days']],
  ['/dashboard/account/details', ['name', 'email']],
  [`${teamPath}/invite`, ['label', 'role']],
  ['/dashboard/keys', ['name']],
  [webhookPath, endpointFields],
  [`${webhookPath}/new`, endpointFields],
  [`${webhookPath}/endpoint`, endpointFields],
])

/** Longer forms are dropped, because embedding them in the sign-in form makes them even longer. */
const maxLength = 32 * 1024

/**
 * Serializes the keepable fields of a form that was submitted after the session had ended, for the sign-in page.
 * Undefined if there are none, or if they are too long.
 */
export function keepForm(path: string, values: FormValues): string | undefined {
  const names = keepableFields.get(path) ?? []
  const isKeepable = (field: string) =>
    names.some((name) => (name.endsWith('.') ? field.startsWith(name) : field === name))
  const saved = new URLSearchParams(Object.entries(values).filter(([field]) => isKeepable(field))).toString()
  return saved === '' || saved.length > maxLength ? undefined : saved
}

export const readKeptForm = (saved: string): FormValues => Object.fromEntries(new URLSearchParams(saved))
