import { z } from 'zod'
import { languages } from './listing-texts/listing-words.ts'

/** Record of a garment in the files of one shop. */
const recordSchema = z.object({
  /** When the first file contained the garment, in ms. */
  at: z.number(),
  /** The garment's handle in Shopify, which never changes; empty for other shops. */
  handle: z.string(),
  /** True if the latest file took the garment off sale. */
  isEnded: z.boolean(),
  language: z.enum(languages),
  /** Fingerprints of the texts in the latest file, which distinguish them from texts that were edited in the shop. */
  title: z.string(),
  description: z.string(),
})

export type ExportRecord = Readonly<z.infer<typeof recordSchema>>

const storedRecords = z.record(z.string(), recordSchema)

export const parseExportRecords = (stored: string | null) => storedRecords.parse(JSON.parse(stored ?? '{}'))
