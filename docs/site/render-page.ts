import { escapeHtml } from './html.ts'
import type { RenderedPage } from './render-markdown.ts'

export interface MenuSection {
  readonly title: string
  readonly pages: readonly { readonly url: string; readonly title: string }[]
}

/** Uses the dashboard's style sheets for colours, frame and controls. */
const styles = [...['base', 'frame', 'controls'].map((name) => `/assets/${name}.css`), '/docs/docs.css']

const logo =
  '<svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M3 12.2V4.6C3 3.7 3.7 3 4.6 3h7.6c.5 0 .9.2 1.2.5l7.1 7.1a1.7 1.7 0 0 1 0 2.4l-7.5 7.5a1.7 1.7 0 0 1-2.4 0l-7.1-7.1a1.7 1.7 0 0 1-.5-1.2Z"/><circle class="eyelet" cx="7.8" cy="7.8" r="1.7"/></svg>'

/** Renders a complete documentation page. */
export function renderPage({ url, title, html, headings }: RenderedPage, menu: readonly MenuSection[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Garment Tagging documentation</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
<script src="/docs/scripts/docs.js" type="module"></script>
</head>
<body class="docs">
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/docs/">${logo}Garment Tagging <span>docs</span></a>
<search class="finder" hidden>
<label class="visually-hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<div id="results" role="listbox" aria-label="Results" hidden></div>
</search>
<a class="dashboard" href="/dashboard">Dashboard</a>
</header>
<details class="contents" open>
<summary>Contents</summary>
<nav aria-label="Documentation">${menu.map((section) => menuOf(section, url)).join('')}</nav>
</details>
<main id="main" tabindex="-1">
<article>
${html}</article>
${contentsOf(headings)}
</main>
</body>
</html>
`
}

function menuOf({ title, pages }: MenuSection, current: string): string {
  const items = pages.map(
    (page) =>
      `<li><a href="${page.url}"${page.url === current ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`,
  )
  return `<h2>${title}</h2><ul>${items.join('')}</ul>`
}

const contentsOf = (headings: RenderedPage['headings']) =>
  headings.length < 3
    ? ''
    : `<nav class="on-page" aria-label="On this page"><ul>${headings
        .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
        .join('')}</ul></nav>`
