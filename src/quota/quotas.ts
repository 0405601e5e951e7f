import type { Settings } from '../settings.ts'

/** What a tenant stores, by the names of the columns that count it. */
export const quotaNames = ['garments', 'import_lines', 'text_bytes', 'files', 'file_bytes'] as const

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
