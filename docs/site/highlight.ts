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
  json: 'json',
  php: 'php',
  py: 'python',
  rb: 'ruby',
}

for (const [name, language] of Object.entries(languages))
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${language}`))

/** A block of code, coloured by classes, which a strict content security policy allows. */
export function codeBlock(code: string, language = ''): string {
  const isKnown = Object.hasOwn(languages, language)
  const html = isKnown ? highlighter.highlight(code, { language }).value : escapeHtml(code)
  return `<div class="code"><pre tabindex="0"><code>${html}</code></pre></div>\n`
}
