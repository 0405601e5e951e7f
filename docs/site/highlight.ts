import { createRequire } from 'node:module'
import { escapeHtml } from './html.ts'

interface Highlighter {
  readonly registerLanguage: (name: string, language: unknown) => void
  readonly highlight: (code: string, options: { readonly language: string }) => { readonly value: string }
}

// Not an `import`, because the package's types include browser types, which conflict with those of Workers.
const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter

/** Maps language names in Markdown, and file extensions, to the package's names. */
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

/** Tab names of the languages that readers choose from. */
const tabNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
}

for (const [name, language] of Object.entries(languages))
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${language}`))

/** Renders a code block with classes for colours, because the content security policy forbids inline styles. */
export function codeBlock(code: string, language = ''): string {
  const isKnown = Object.hasOwn(languages, language)
  const html = isKnown ? highlighter.highlight(code, { language }).value : escapeHtml(code)
  const tab = tabNames[language]
  const data = tab === undefined ? '' : ` data-tab="${tab}"`
  return `<div class="code"${data}><pre tabindex="0"><code>${html}</code></pre></div>\n`
}

/** Consecutive blocks in several languages. */
const alternatives = /(?:<div class="code" data-tab="[^"]+">(?:(?!<\/div>).)*<\/div>\n){2,}/gs

/**
 * Groups consecutive blocks in several languages, each under its language's name. A script turns a group into tabs.
 * Without scripts, the blocks appear one below the other.
 */
export const withTabs = (html: string): string =>
  html.replaceAll(alternatives, (group) => {
    const named = group.replaceAll(/<div class="code" data-tab="([^"]+)">/g, '<p class="language">$1</p>\n$&')
    return `<div class="tabs">\n${named}</div>\n`
  })
