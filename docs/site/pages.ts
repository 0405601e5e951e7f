export interface Section {
  readonly title: string
  /** Paths of Markdown files from the project root, and URLs of reference pages. */
  readonly sources: readonly string[]
}

/** All pages of the menu, in its order. */
export const sections: readonly Section[] = [
  {
    title: 'Start',
    sources: ['docs/README.md', 'docs/guides/first-garment.md', 'docs/guides/testing-locally.md'],
  },
  {
    title: 'Integrate',
    sources: [
      'docs/guides/calling.md',
      'docs/guides/polling-or-webhooks.md',
      'docs/guides/receivers.md',
      'docs/guides/tags-and-measurements.md',
      'docs/guides/errors.md',
      'docs/limits.md',
      'src/client/package/README.md',
      '/docs/api/accounts',
      '/docs/api/garments',
      '/docs/api/imports',
      '/docs/api/webhook',
      '/docs/api/webhook-events',
    ],
  },
  {
    title: 'Sell',
    sources: [
      'docs/guides/photographs.md',
      'docs/guides/large-stock.md',
      'docs/guides/selling.md',
      'docs/guides/dashboard.md',
      'docs/guides/accuracy.md',
    ],
  },
  {
    title: 'Operate',
    sources: [
      'docs/operations/deploying.md',
      'docs/operations/first-month.md',
      'docs/operations/settings.md',
      'docs/operations/databases.md',
      'docs/operations/backup.md',
      'docs/operations/runbook.md',
      'docs/operations/cost.md',
      '/docs/api/operator',
      'docs/security.md',
      'CHANGELOG.md',
    ],
  },
]

/** Pages that are not in the menu. Links lead to them. */
const unlisted = ['docs/decisions.md', 'src/vision/network/MODEL_CARD.md']

const isFile = (source: string) => source.endsWith('.md')

/** All published Markdown files. */
export const allSources = [...sections.flatMap(({ sources }) => sources.filter(isFile)), ...unlisted]

const ownUrls: Readonly<Record<string, string>> = {
  'docs/README.md': '/docs/',
  'docs/guides/calling.md': '/docs/api/',
  'CHANGELOG.md': '/docs/changes',
  'src/client/package/README.md': '/docs/client',
  'src/vision/network/MODEL_CARD.md': '/docs/model-card',
}

export const urlOf = (source: string) =>
  ownUrls[source] ?? (isFile(source) ? `/${source.replace(/\.md$/, '')}` : source)

/** Search terms that a page does not contain. */
export const keywords: Readonly<Record<string, string>> = {
  '/docs/guides/first-garment': 'quickstart tutorial getting started example hello world',
  '/docs/guides/testing-locally': 'sandbox ngrok tunnel staging mock localhost test mode development',
  '/docs/api/': 'rest endpoints swagger openapi postman authentication bearer throttling cursor paging retry-after',
  '/docs/guides/polling-or-webhooks': 'callback notification hook push retry retries',
  '/docs/guides/receivers':
    'hmac signature verification express hono fastapi flask php sinatra rails go worker deduplicate',
  '/docs/guides/tags-and-measurements': 'attributes categories sizes dimensions cm inches taxonomy',
  '/docs/guides/errors': 'troubleshooting status codes failures debugging',
  '/docs/limits': 'quota maximum size formats heic',
  '/docs/client': 'sdk library npm pip pypi package cli command line terminal javascript typescript python',
  '/docs/guides/photographs': 'photos pictures images camera lighting background aruco marker',
  '/docs/guides/large-stock': 'bulk batch mass import csv spreadsheet',
  '/docs/guides/selling': 'shopify google merchant ebay etsy marketplace feed listing description title',
  '/docs/guides/accuracy': 'precision benchmark quality probability correction',
  '/docs/operations/deploying': 'install hosting cloudflare wrangler upgrade rollback domain',
  '/docs/operations/first-month': 'logs alerts checklist rotate secrets jurisdiction gdpr eu',
  '/docs/operations/cost': 'price pricing billing',
  '/docs/operations/runbook': 'monitoring alerts incident metrics logs',
  '/docs/security': 'privacy gdpr roles permissions threats',
}
