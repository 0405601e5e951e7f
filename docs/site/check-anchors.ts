import type { RenderedPage } from './render-markdown.ts'

/** Throws if a link below `/docs` points to a missing page, file or heading, or if a page has an id twice. */
export function checkAnchors(pages: readonly RenderedPage[], files: readonly string[]): void {
  const ids = new Map(pages.map(({ url, html }) => [url, idsOf(url, html)]))
  for (const { url, html } of pages)
    for (const [, href = ''] of html.matchAll(/<a href="((?:\/docs|#)[^"]*)"/g)) {
      if (files.includes(href)) continue
      const [path = '', anchor] = href.split('#')
      const target = ids.get(path === '' ? url : path)
      if (target === undefined || (anchor !== undefined && !target.has(anchor)))
        throw new Error(`${url} links to ${href}, which does not exist`)
    }
}

function idsOf(url: string, html: string): ReadonlySet<string | undefined> {
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined) throw new Error(`${url} has the id ${repeated} twice`)
  return new Set(ids)
}
