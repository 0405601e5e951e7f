interface Page<Row, Cursor> {
  readonly rows: readonly Row[]
  /** Null after the last page. */
  readonly nextCursor: Cursor | null
}

/** How many rows are read at first: with 50 attributes of 512 Chinese letters, ten of them have 0.8 MB. */
const rowsAtFirst = 10

/** What the rows of a step have, if they are as long as those just read. */
const charactersInStep = 250_000

/** Reads the rows of a page in at least one step, each of few enough rows to hold them in memory, at most `maxRows`. */
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

/** Well below a Worker's memory, even with several copies of a text, its objects and its bytes. */
const maxPageBytes = 4 * 1024 * 1024

/**
 * The one way to page by bytes: decides by the bytes of each row whether it still belongs to the page. The first row
 * always does, so that every page makes progress.
 */
export function createPageBudget(maxBytes = maxPageBytes): (row: Uint8Array) => boolean {
  let used = 0
  return (row) => {
    const before = used
    used += row.length
    return before === 0 || used <= maxBytes
  }
}
