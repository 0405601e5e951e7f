/** Well below what a Worker can hold of a text, of its objects and of its bytes, several times at once. */
const maxPageBytes = 4 * 1024 * 1024

/**
 * The one way to page by bytes: says of the bytes of each row whether they still belong to the page. The first row
 * always does, so that every page leads on.
 */
export function createPageBudget(maxBytes = maxPageBytes): (row: Uint8Array) => boolean {
  let used = 0
  return (row) => {
    const before = used
    used += row.length
    return before === 0 || used <= maxBytes
  }
}
