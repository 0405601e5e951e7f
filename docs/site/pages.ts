export interface Section {
  readonly title: string
  /** Markdown files, from the root of the project. */
  readonly sources: readonly string[]
}

/** What is published, in the order of the menu. The API reference comes after the guides. */
export const guides: Section = {
  title: 'Guides',
  sources: [
    'docs/README.md',
    'docs/guides/first-garment.md',
    'docs/guides/polling-or-webhooks.md',
    'docs/guides/verify-signatures.md',
    'docs/guides/tags-and-measurements.md',
    'docs/guides/confidence.md',
    'docs/guides/second-opinion.md',
    'docs/guides/photographs.md',
    'docs/guides/large-stock.md',
    'docs/guides/selling.md',
    'docs/guides/dashboard.md',
    'docs/guides/endpoints.md',
    'docs/guides/idempotency.md',
    'docs/guides/pagination.md',
    'docs/guides/errors.md',
    'docs/guides/testing-locally.md',
    'docs/guides/versions.md',
    'docs/guides/promises.md',
    'docs/guides/accuracy.md',
    'src/client/package/README.md',
    'docs/limits.md',
    'docs/security.md',
    'CHANGELOG.md',
  ],
}

export const operations: Section = {
  title: 'Operating',
  sources: [
    'docs/operations/deploying.md',
    'docs/operations/settings.md',
    'docs/operations/second-opinion.md',
    'docs/operations/custom-domain.md',
    'docs/operations/pictures.md',
    'docs/operations/databases.md',
    'docs/operations/backup.md',
    'docs/operations/key-rotation.md',
    'docs/operations/upgrading.md',
    'docs/operations/watching.md',
    'docs/operations/runbook.md',
    'docs/operations/far-callers.md',
    'docs/operations/cost.md',
  ],
}

/** Reached by links only. */
const unlisted = ['src/vision/network/MODEL_CARD.md']

const ownUrls: Readonly<Record<string, string>> = {
  'docs/README.md': '/docs/',
  'CHANGELOG.md': '/docs/changes',
  'src/client/package/README.md': '/docs/client',
  'src/vision/network/MODEL_CARD.md': '/docs/model-card',
}

const listedSources = [...guides.sources, ...operations.sources]

/** `decisions` are published too, since texts refer to them. */
export const allSources = (decisions: readonly string[]) => [...listedSources, ...unlisted, ...decisions]

export const urlOf = (source: string) => ownUrls[source] ?? `/${source.replace(/README\.md$/, '').replace(/\.md$/, '')}`
