interface Step {
  readonly rows: number
  readonly characters: number
}

/**
 * How many rows the next step of a reading takes, because the rows of a step are parsed together: as many as have about
 * `characters`, if they are as long as those just read, at least one and at most `rows`.
 */
export function nextStepSize(read: Step, most: Step): number {
  const fit = Math.floor((most.characters * read.rows) / Math.max(1, read.characters))
  return Math.min(most.rows, Math.max(1, fit))
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
