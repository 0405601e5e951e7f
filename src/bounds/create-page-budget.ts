/** Well below what a Worker can hold of a text, of its objects and of its bytes, several times at once. */
const maxPageBytes = 4 * 1024 * 1024

const encoder = new TextEncoder()

/**
 * The one way to page by bytes: says of the text of each row whether it still belongs to the page. The first row always
 * does, so that every page leads on.
 */
export function createPageBudget(maxBytes = maxPageBytes): (text: string) => boolean {
  let used = 0
  return (text) => {
    const before = used
    used += encoder.encode(text).length
    return before === 0 || used <= maxBytes
  }
}
