import { textOf } from './html.ts'
import type { MenuSection } from './render-page.ts'
import type { RenderedPage } from './render-markdown.ts'

/** Lists all pages with their first sentences, in Markdown, for language models: https://llmstxt.org */
export function llmsText(menu: readonly MenuSection[], pages: readonly RenderedPage[]): string {
  const htmlOf = new Map(pages.map(({ url, html }) => [url, html]))
  const listed = new Set(menu.flatMap((section) => section.pages.map(({ url }) => url)))
  const sections = [...menu, { title: 'Optional', pages: pages.filter(({ url }) => !listed.has(url)) }].map(
    (section) =>
      `## ${section.title}\n\n${section.pages.map(({ url, title }) => `- [${title}](${url}): ${firstSentence(htmlOf.get(url) ?? '')}\n`).join('')}`,
  )
  const about = `# Garment tagging\n\n> ${firstSentence(htmlOf.get('/docs/') ?? '')}\n
The whole API is described at [/openapi.json](/openapi.json) (OpenAPI 3.1).\n`
  return [about, ...sections].join('\n')
}

/** Returns the first sentence of a page, from its first paragraph or list. */
function firstSentence(html: string): string {
  const [, paragraph = ''] = /<(?:p|li)>(.*?)<\/(?:p|li)>/s.exec(html) ?? []
  const text = textOf(paragraph)
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text
}
