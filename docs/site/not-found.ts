import type { RenderedPage } from './render-markdown.ts'

/** The page for missing URLs below `/docs`. It is neither in the menu nor in the search. */
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
