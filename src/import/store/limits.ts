/** Lines of one import. */
export const maxLines = 10_000

/** Of one line: enough for a uuid, a URL and 50 attributes of the greatest length, all quoted. */
export const maxLineLength = 40_000

/** Of one file. */
export const maxColumns = 60

/** Of what is stored of a refused line's attributes, as JSON. */
export const maxRefusedBytes = 16 * 1024

export const maxCsvBytes = 8 * 1024 * 1024

/** Imports of one tenant that have not ended. */
export const maxOpenImports = 20
