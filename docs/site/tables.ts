/**
 * `npm run tables`: writes the documentation tables that come from code. Each table follows a comment with its name.
 * With `--check`, fails if a table differs from the code.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { format, resolveConfig } from 'prettier'
import { failureSentences } from '../../src/garments/failure.ts'
import { errorCodes } from '../../src/platform/http/errors.ts'
import { attributeTables, table } from './attribute-tables.ts'
import { clientMethods } from './client-methods.ts'
import { pythonMethods } from './python-methods.ts'
import { itemTypes, typeMeanings } from '../../src/vision/taxonomy/item-types.ts'
import { loadOpenApi } from './load-api.ts'
import { type Document, endpointsOf } from './reference/document.ts'

/** Stands in for all parameters. */
const anyParams = new Proxy({}, { get: () => '…' })

/** Returns a failure's sentence with an ellipsis for each parameter, also for one that only selects a phrase. */
const sentenceOf = (sentence: unknown) =>
  (sentence as (params: object) => string)(anyParams).replaceAll('undefined', '…')

const clientFactories = [
  ['client: garments', 'garment-methods', 'garmentMethods'],
  ['client: webhooks', 'webhook-methods', 'webhookMethods'],
  ['client: account', 'merchant-methods', 'merchantMethods'],
  ['client: operator', 'merchant-methods', 'operatorMethods'],
] as const

const methodTable = (file: string, factory: string) =>
  table(['method', 'returns', 'what it does'], clientMethods(file, factory))

async function allTables(): Promise<Readonly<Record<string, string>>> {
  const openApi = await loadOpenApi('https://tagging.example')
  const endpoints = endpointsOf(JSON.parse(JSON.stringify(openApi)) as Document)
  const [ranked, others] = attributeTables()
  return {
    'ranked attributes': ranked,
    'other attributes': others,
    'item types': table(
      ['item type', 'meaning'],
      itemTypes.map((itemType) => [itemType, typeMeanings[itemType]]),
    ),
    'error codes': table(
      ['code', 'status', 'what to do'],
      Object.entries(errorCodes).map(([code, { status, advice }]) => [`\`${code}\``, String(status), advice]),
    ),
    'failure codes': table(
      ['failure_code', 'failure_reason'],
      Object.entries(failureSentences).map(([code, sentence]) => [`\`${code}\``, sentenceOf(sentence)]),
    ),
    ...Object.fromEntries(clientFactories.map(([name, file, factory]) => [name, methodTable(file, factory)])),
    'client: python': table(['method', 'returns', 'what it does'], pythonMethods()),
    endpoints: table(
      ['endpoint', 'what it does'],
      endpoints.map(({ method, path, operation }) => [`\`${method.toUpperCase()} ${path}\``, operation.summary]),
    ),
  }
}

if (import.meta.main) {
  const tables = await allTables()
  for (const path of [...globSync('docs/**/*.md'), 'src/client/package/README.md', 'src/client/python/README.md']) {
    const text = readFileSync(path, 'utf8')
    const filled = text.replaceAll(
      /(<!-- table: (.+?) -->\n)(?:\n\|.*(?:\n\|.*)*\n)?/g,
      (_, comment: string, name: string) => {
        if (tables[name] === undefined) throw new Error(`${path}: there is no table ${name}`)
        return `${comment}\n${tables[name]}\n`
      },
    )
    const formatted = await format(filled, { ...(await resolveConfig(path)), parser: 'markdown' })
    if (formatted === text) continue
    if (!process.argv.includes('--check')) writeFileSync(path, formatted)
    else {
      process.stderr.write(`${path} has tables that differ from the code: npm run tables\n`)
      process.exitCode = 1
    }
  }
}
