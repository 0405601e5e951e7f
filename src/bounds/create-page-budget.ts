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
