/** Lines of one import. */
export const maxLines = 10_000

export const maxCsvBytes = 8 * 1024 * 1024

/** Imports of one tenant that have not ended. */
export const maxOpenImports = 20
