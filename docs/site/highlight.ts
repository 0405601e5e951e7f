import { createRequire } from 'node:module'
import { escapeHtml } from './html.ts'

interface Highlighter {
  readonly registerLanguage: (name: string, language: unknown) => void
  readonly highlight: (code: string, options: { readonly language: string }) => { readonly value: string }
}

// Not an import: the package's types bring those of browsers, which contradict those of Workers.
const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter

/** Names in Markdown, and extensions of files, to the package's names. */
const languages = {
  bash: 'bash',
  sh: 'bash',
  go: 'go',
  js: 'javascript',
  mjs: 'javascript',
  json: 'json',
  php: 'php',
  py: 'python',
  python: 'python',
  rb: 'ruby',
  ts: 'typescript',
}

/** Names of tabs, by the languages that a reader chooses between. */
const tabNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
}

for (const [name, language] of Object.entries(languages))
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${language}`))

/** A block of code, coloured by classes, which a strict content security policy allows. */
export function codeBlock(code: string, language = ''): string {
  const isKnown = Object.hasOwn(languages, language)
  const html = isKnown ? highlighter.highlight(code, { language }).value : escapeHtml(code)
  const tab = tabNames[language]
  const data = tab === undefined ? '' : ` data-tab="${tab}"`
  return `<div class="code"${data}><pre tabindex="0"><code>${html}</code></pre></div>\n`
}

/** Blocks in several languages, one after another. */
const alternatives = /(?:<div class="code" data-tab="[^"]+">(?:(?!<\/div>).)*<\/div>\n){2,}/gs

/**
 * Puts blocks that follow each other in several languages into a group, each under the name of its language. A script
 * turns the group into tabs; without it, they can be read one below the other.
 */
export const withTabs = (html: string): string =>
  html.replaceAll(alternatives, (group) => {
    const named = group.replaceAll(/<div class="code" data-tab="([^"]+)">/g, '<p class="language">$1</p>\n$&')
    return `<div class="tabs">\n${named}</div>\n`
  })
