/** Well below a Worker's memory, even with several copies of a text, its objects and its bytes. */
const maxPageBytes = 4 * 1024 * 1024

const encoder = new TextEncoder()

/**
 * The one way to page by bytes: decides by the text of each row whether it still belongs to the page. The first row
 * always does, so that every page makes progress.
 */
export function createPageBudget(maxBytes = maxPageBytes): (text: string) => boolean {
  let used = 0
  return (text) => {
    const before = used
    used += encoder.encode(text).length
    return before === 0 || used <= maxBytes
  }
}
