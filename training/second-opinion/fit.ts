/**
 * `npm run fit:opinion -- EXPORT.json [--write]`: fits how much weight the embedded network and the second opinion have
 * in each attribute, on garments of an export whose values people corrected or confirmed. With `--write` the table of
 * the service is replaced. Attributes with fewer than 50 such values keep the standard weights.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process, { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { type Weights, weightsOf, weightTable } from '../../src/vision/opinion.ts'
import { fitWeights, minLabels } from './fit-weights.ts'
import { readLabels } from './read-labels.ts'

const path = join(import.meta.dirname, '../../src/vision/opinion-weights.json')

const { values: options, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [exported] = positionals
if (exported === undefined) {
  process.stderr.write('Name the file: npm run fit:opinion -- EXPORT.json, as `garment-tagging export` writes it.\n')
  process.exit(2)
}

const attributes: Record<string, Weights> = {}
let most = 0
for (const [name, labels] of readLabels(JSON.parse(readFileSync(exported, 'utf8')))) {
  most = Math.max(most, labels.length)
  if (labels.length < minLabels) {
    stdout.write(`${name.padEnd(12)} ${labels.length} labels, of ${minLabels} at least: the standard weights\n`)
    continue
  }
  const fitted = fitWeights(labels, weightsOf(weightTable, name))
  attributes[name] = fitted
  stdout.write(`${name.padEnd(12)} ${labels.length} labels: network ${fitted.network}, opinion ${fitted.opinion}\n`)
}
const version = `${new Date().toISOString().slice(0, 10)}, ${most} garments`
const table = { version, standard: weightTable.standard, attributes: { ...weightTable.attributes, ...attributes } }
if (Object.keys(attributes).length === 0) stdout.write('Nothing was fitted.\n')
else if (options.write) writeFileSync(path, `${JSON.stringify(table, null, 2)}\n`)
else stdout.write(`Nothing was written; with --write ${path} is replaced.\n`)
