import type { quotaNames } from '../db/schema.ts'
import type { Settings } from '../settings.ts'

export type QuotaName = (typeof quotaNames)[number]

/** The most that a tenant may have of each. */
export type Quotas = Readonly<Record<QuotaName, number>>

const megabyte = 1_000_000

export function quotasOf(settings: Settings): Quotas {
  return {
    garments: settings.MAX_GARMENTS,
    import_lines: settings.MAX_IMPORT_LINES,
    text_bytes: settings.MAX_TEXT_MEGABYTES * megabyte,
    files: settings.MAX_FILES,
    file_bytes: settings.MAX_FILE_MEGABYTES * megabyte,
  }
}
