import { textOf } from './html.ts'
import type { MenuSection } from './render-page.ts'
import type { RenderedPage } from './render-markdown.ts'

const maxSentence = 240

/** A list of the pages with their first sentences, in Markdown, for programs that read: https://llmstxt.org */
export function llmsText(menu: readonly MenuSection[], pages: readonly RenderedPage[]): string {
  const htmlOf = new Map(pages.map(({ url, html }) => [url, html]))
  const line = (url: string, title: string) => `- [${title}](${url}): ${firstSentence(htmlOf.get(url) ?? '')}`
  const sections = menu.map(
    ({ title, pages: listed }) => `## ${title}\n\n${listed.map((page) => line(page.url, page.title)).join('\n')}\n`,
  )
  const about = `# Garment tagging\n\n> ${firstSentence(htmlOf.get('/docs/') ?? '')}\n
The whole API is described at [/openapi.json](/openapi.json) (OpenAPI 3.1).\n`
  return [about, ...sections].join('\n')
}

function firstSentence(html: string): string {
  const [, paragraph = ''] = /<p>(.*?)<\/p>/s.exec(html) ?? []
  const text = textOf(paragraph).replaceAll(/\s+/g, ' ')
  const sentence = /^.*?[.!?:](?= |$)/.exec(text)?.[0] ?? text
  return sentence.length > maxSentence ? `${sentence.slice(0, maxSentence)}…` : sentence
}
