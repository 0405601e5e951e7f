import { textOf } from './html.ts'
import type { RenderedPage } from './render-markdown.ts'

interface SearchEntry {
  readonly id: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

/** One entry for the start of each page and one for each of its headings of the second and third level. */
export const searchEntries = (pages: readonly RenderedPage[]): SearchEntry[] =>
  pages.flatMap(({ url, title, html }) =>
    html.split(/(?=<h[23] id=)/).map((part) => {
      const [, id, heading] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(part) ?? []
      const text = textOf(part.replace(/^<h[1-3].*?<\/h[1-3]>/s, ''))
      return { id: id === undefined ? url : `${url}#${id}`, page: title, heading: textOf(heading ?? ''), text }
    }),
  )
