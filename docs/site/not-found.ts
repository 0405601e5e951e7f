import type { RenderedPage } from './render-markdown.ts'

/** What a browser is shown at an address below /docs that does not exist. In no menu, and not found by the search. */
export const notFoundPage: RenderedPage = {
  url: '/docs/404',
  title: 'Page not found',
  html: `<h1>Page not found</h1>
<p>The documentation has no page at this address. It may have moved, or the link is misspelt.</p>
<ul>
<li><a href="/docs/">Start of the documentation</a></li>
<li>Search at the top of this page: press <kbd>/</kbd></li>
<li><a href="/docs/api/">Endpoints of the API</a></li>
</ul>
`,
  headings: [],
}
