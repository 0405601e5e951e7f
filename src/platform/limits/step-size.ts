interface Page<Row, Cursor> {
  readonly rows: readonly Row[]
  /** Null after the last page. */
  readonly nextCursor: Cursor | null
}

/** The largest possible rows of a first step have 0.8 MB together. */
const rowsAtFirst = 10

/** Characters per step, estimated from the rows of the previous step. */
const charactersInStep = 250_000

/** Reads the rows of a page in steps that fit into memory, at most `maxRows` each. */
export async function* readInSteps<Row, Cursor, Step extends Page<Row, Cursor>>(
  { limit, cursor, maxRows }: { readonly limit: number; readonly cursor: Cursor; readonly maxRows: number },
  read: (cursor: Cursor, limit: number) => Promise<Step & Page<Row, Cursor>>,
  charactersOf: (row: Row) => number,
): AsyncGenerator<Step> {
  let [left, rowsInStep] = [limit, rowsAtFirst]
  for (let next: Cursor | null = cursor; next !== null && left > 0;) {
    const step: Step & Page<Row, Cursor> = await read(next, Math.min(rowsInStep, left))
    yield step
    next = step.nextCursor
    left -= step.rows.length
    const characters = step.rows.reduce((sum, row) => sum + charactersOf(row), 0)
    const fit = Math.floor((charactersInStep * step.rows.length) / Math.max(1, characters))
    rowsInStep = Math.min(maxRows, Math.max(1, fit))
  }
}

/** Several copies of a page fit into a Worker's memory. */
const maxPageBytes = 4 * 1024 * 1024

/**
 * Returns a function that decides whether a row still fits on the page. The first row always fits, so that pages
 * progress.
 */
export function createPageBudget(maxBytes = maxPageBytes): (row: Uint8Array) => boolean {
  let used = 0
  return (row) => {
    const before = used
    used += row.length
    return before === 0 || used <= maxBytes
  }
}
