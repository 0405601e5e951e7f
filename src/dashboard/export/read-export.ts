import { z } from 'zod'
import { languages } from '../../listing/languages.ts'
import { exportFormats } from '../../export/stream-export.ts'
import { parseFields, type FormValues } from '../form.ts'
import { filterValues, readFilter } from '../garments/list/read-filter.ts'

const fields = z.object({
  format: z.enum(exportFormats, 'must be a known format'),
  language: z.enum(languages, 'must be a known language').optional(),
})

/** Reads the export form. Browsers send its empty fields too. */
export function readExport(values: FormValues) {
  const { format, language } = parseFields(fields, { ...values, language: values['language'] || undefined })
  const filters = filterValues(values)
  return {
    format,
    language,
    filter: readFilter(filters),
    /** Whether every garment is exported, so that the next export can continue where this one ends. */
    isUnfiltered: Object.keys(filters).length === 0,
    isNewOnly: values['since'] === 'last',
    withIncomplete: values['incomplete'] === 'yes',
  }
}
