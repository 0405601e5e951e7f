import { textOf } from './html.ts'
import { keywords, sections, urlOf } from './pages.ts'
import type { RenderedPage } from './render-markdown.ts'

interface SearchEntry {
  readonly id: string
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly keywords?: string
  /** Factor for its search score. */
  readonly weight: number
}

const listed = new Set(sections.flatMap(({ sources }) => sources.map(urlOf)))

/** Ranks guides above the reference, and the reference above the design decisions. */
const weightOf = (url: string) =>
  !listed.has(url) || url === '/docs/changes' ? 0.2 : url.startsWith('/docs/api/') && url !== '/docs/api/' ? 0.6 : 1

/** Creates one search entry per page and one per heading of level 2 or 3. */
export const searchEntries = (pages: readonly RenderedPage[]): SearchEntry[] =>
  pages.flatMap(({ url, title, html }) =>
    html.split(/(?=<h[23] id=)/).map((part) => {
      const [, id, heading] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(part) ?? []
      const entry = {
        page: title,
        heading: textOf(heading ?? ''),
        text: textOf(part.replace(/^<h[1-3].*?<\/h[1-3]>/s, '')),
        weight: weightOf(url),
      }
      return id === undefined
        ? { ...entry, id: url, ...(keywords[url] !== undefined && { keywords: keywords[url] }) }
        : { ...entry, id: `${url}#${id}` }
    }),
  )
