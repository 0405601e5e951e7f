import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { deployUrl, type Repository } from './deploy-url.ts'
import { codeBlock, withTabs } from './highlight.ts'
import { escapeHtml, slugOf, textOf } from './html.ts'
import { urlOf } from './pages.ts'

export interface RenderedPage {
  readonly url: string
  readonly title: string
  readonly html: string
  readonly headings: readonly { readonly id: string; readonly text: string }[]
}

const isExternal = (href: string) => /^(https?:|mailto:|\/|#)/.test(href)

/**
 * Renders a Markdown file. Links to other files become links to their pages. A paragraph that only links to a snippet
 * becomes the snippet's code. Drawings are inlined, so that they follow the page's colours. The comment `deploy button`
 * becomes that button, and names of endpoints become links to the reference.
 * @param published files that have a page. A link to any other file is an error.
 * @param endpoints URLs in the reference by method and path
 */
export function renderMarkdown(
  source: string,
  published: ReadonlySet<string>,
  endpoints: ReadonlyMap<string, string>,
): RenderedPage {
  const headings: { id: string; text: string; depth: number }[] = []
  const resolve = (href: string) => normalize(join(dirname(source), href))

  function link(href: string): string {
    if (isExternal(href)) return href
    const [path = '', anchor] = href.split('#')
    const target = resolve(path)
    if (!published.has(target)) throw new Error(`${source} links to ${href}, which has no page`)
    return urlOf(target) + (anchor === undefined ? '' : `#${anchor}`)
  }

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const text = textOf(html)
        const id = slugOf(text)
        headings.push({ id, text, depth })
        if (depth === 1) return `<h1>${html}</h1>\n`
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`
      },
      code: ({ text, lang }) => codeBlock(text, lang),
      html: ({ text }) =>
        text.trim() === '<!-- deploy button -->' ? deployButton() : /^<!-- (not run|table):/.test(text) ? '' : text,
      codespan({ text }) {
        const url = endpoints.get(text.replace(/\?.*/, '').replaceAll(/:(\w+)/g, '{$1}'))
        const code = `<code>${escapeHtml(text)}</code>`
        return url === undefined ? code : `<a href="${url}">${code}</a>`
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(link(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image: ({ href, text }) => drawing(resolve(href), text),
      paragraph({ tokens }) {
        const snippet = snippetOf(tokens)
        if (snippet !== undefined) return codeBlock(readFileSync(resolve(snippet), 'utf8').trim(), extensionOf(snippet))
        const html = this.parser.parseInline(tokens)
        return tokens.length === 1 && tokens[0]?.type === 'image' ? html : `<p>${html}</p>\n`
      },
      table(table) {
        return `<div class="wide" tabindex="0">${tableOf(table, (tokens) => this.parser.parseInline(tokens))}</div>\n`
      },
    },
  })
  const html = withTabs(marked.parse(readFileSync(source, 'utf8'), { async: false }))
  const title = headings.find(({ depth }) => depth === 1)?.text
  if (title === undefined) throw new Error(`${source} has no title`)
  return { url: urlOf(source), title, html, headings: headings.filter(({ depth }) => depth === 2) }
}

/** Renders the button, or nothing unless package.json names a repository that the button accepts. */
function deployButton(): string {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository?: Repository }
  const url = deployUrl(repository)
  if (url === null) return ''
  const markdown = `[![Deploy to Cloudflare](${new URL('/button', url).href})](${url})`
  return `<p><a class="button" href="${escapeHtml(url)}">Deploy to Cloudflare</a></p>\n${codeBlock(markdown)}`
}

const extensionOf = (path: string) => path.split('.').at(-1) ?? ''

/** Returns the path of the snippet that a paragraph consists of. */
function snippetOf(tokens: readonly { type: string; href?: string }[]): string | undefined {
  const [token] = tokens
  return tokens.length === 1 && token?.type === 'link' && token.href?.includes('receivers/') ? token.href : undefined
}

function drawing(path: string, label: string): string {
  if (!path.endsWith('.svg') || !existsSync(path)) throw new Error(`There is no drawing ${path}`)
  const svg = readFileSync(path, 'utf8').replace('<svg ', `<svg role="img" aria-label="${escapeHtml(label)}" `)
  return `<figure class="drawing">${svg}</figure>\n`
}

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Tokens.TableCell['tokens']) => string): string {
  const cells = (row: readonly Tokens.TableCell[], tag: string) =>
    row.map(({ text, tokens }) => (text === '' ? '<td></td>' : `<${tag}>${inline(tokens)}</${tag}>`)).join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${body}</tbody></table>`
}
