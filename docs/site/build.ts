/**
 * Builds the documentation below `/docs` from Markdown and from the OpenAPI document, with its own styles and scripts.
 * Runs in Node.js before `wrangler dev` and `wrangler deploy`. Also part of `npm run check`, because it fails on broken
 * links.
 */
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { checkAnchors } from './check-anchors.ts'
import { llmsText } from './llms-text.ts'
import { loadOpenApi } from './load-api.ts'
import { allSources, sections, urlOf } from './pages.ts'
import { notFoundPage } from './not-found.ts'
import { postmanCollection } from './reference/postman-collection.ts'
import { endpointLinks, renderReference } from './reference/render-reference.ts'
import { renderMarkdown, type RenderedPage } from './render-markdown.ts'
import { renderPage } from './render-page.ts'
import { searchEntries } from './search-entries.ts'

const publicFolder = 'src/dashboard/public'
const outputFolder = join(publicFolder, 'docs')

const published = new Set(allSources)
const openApi = await loadOpenApi('https://tagging.example')
const links = endpointLinks(openApi)
const texts = allSources.map((source) => renderMarkdown(source, published, links))
const reference = renderReference(openApi)
const pages = [...texts, ...reference]
checkAnchors([...pages, notFoundPage], ['/docs/llms.txt', '/docs/postman.json', '/docs/garment_tagging.py'])

const titleOf = new Map(pages.map(({ url, title }) => [url, title]))
const menu = sections.map(({ title, sources }) => ({
  title,
  pages: sources.map(urlOf).map((url) => ({ url, title: titleOf.get(url) ?? '' })),
}))

const ownFiles = (folder: string) => globSync(join(import.meta.dirname, 'assets', folder, '*')).sort()
const readText = (path: string) => readFileSync(path, 'utf8')
const codesFolder = join(dirname(fileURLToPath(import.meta.resolve('zxing-wasm/reader'))), '../..')

const fileOf = ({ url }: RenderedPage) => `${url.slice('/docs/'.length)}${url.endsWith('/') ? 'index' : ''}.html`
const files = new Map<string, string | Buffer>([
  ...[...pages, notFoundPage].map((page) => [fileOf(page), renderPage(page, menu)] as const),
  ['search.json', JSON.stringify(searchEntries(pages))],
  ['llms.txt', llmsText(menu, pages)],
  ['postman.json', JSON.stringify(postmanCollection(openApi), null, 2)],
  ['garment_tagging.py', readText('src/client/python/garment_tagging/__init__.py')],
  // A separate file with its licence. The dashboard loads it when somebody chooses a HEIC file.
  [
    '../assets/heic/libheif.js',
    readText(fileURLToPath(import.meta.resolve('libheif-js/libheif-wasm/libheif-bundle.mjs'))),
  ],
  ['../assets/heic/LICENSE.txt', readText(fileURLToPath(import.meta.resolve('libheif-js/libheif-wasm/LICENSE')))],
  // The dashboard loads it when somebody chooses photographs and the browser cannot read codes itself.
  [
    '../assets/codes/zxing-reader.js',
    `${readText(join(codesFolder, 'iife/reader/index.js'))}\nexport const { prepareZXingModule, readBarcodes } = ZXingWASM\n`,
  ],
  ['../assets/codes/zxing-reader.wasm', readFileSync(join(codesFolder, 'reader/zxing_reader.wasm'))],
  ['../assets/codes/LICENSE.txt', readText(join(codesFolder, '../LICENSE'))],
  ['minisearch.js', readText(fileURLToPath(import.meta.resolve('minisearch')))],
  ['docs.css', ownFiles('styles').map(readText).join('')],
  ...ownFiles('scripts').map((path) => [`scripts/${basename(path)}`, readText(path)] as const),
])

/** Replaces a changed file atomically, because several services can start from one checkout at once. */
function update(name: string, content: string | Buffer): void {
  const path = join(outputFolder, name)
  try {
    if (readFileSync(path).equals(Buffer.from(content))) return
  } catch {
    mkdirSync(dirname(path), { recursive: true })
  }
  const temporary = join('.wrangler', `docs-${process.pid}`)
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(temporary, content)
  renameSync(temporary, path)
}

for (const [name, content] of files) update(name, content)
for (const name of globSync('**/*.*', { cwd: outputFolder })) if (!files.has(name)) rmSync(join(outputFolder, name))
