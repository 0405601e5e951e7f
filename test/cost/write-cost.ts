/**
 * `npm run cost`: runs the real service with counted bindings, measures what one garment uses, and writes the tables of
 * `docs/operations/cost.md`. Runs in Node.js on Linux. Exits with 1 if a limit is exceeded.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { processorMs, workerdsOf } from '../bench/processes.ts'
import { measureGarmentBytes } from '../support/stored-garment/measure-garment-bytes.ts'
import { addCounts } from './counts.ts'
import { limits, sumCost } from './limits.ts'
import { measureCounts } from './measure-counts.ts'
import { alternatives, billedFor, callCost, costOf, operations, planPrice, storage, viewedShare } from './prices.ts'

const path = 'docs/operations/cost.md'
const million = 1_000_000
const months = [million, 100 * million]

const dollars = (value: number) =>
  `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
const number = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 })
const table = (rows: readonly (readonly string[])[]) => {
  const [head = [], ...rest] = rows
  return [head, head.map(() => '---'), ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const { bytes: databaseBytes } = await measureGarmentBytes(5000)
const { garment, poll, search, view, label } = await measureCounts({
  garments: 50,
  readCpuMs: () => processorMs(workerdsOf(process.pid)),
})
const used = operations(addCounts(garment, view, viewedShare))
const bytes = { databaseBytes, r2Bytes: garment.r2Bytes }
const perMillion = sumCost(used)
const labelCost = sumCost(operations(addCounts(garment, label, 1))) - sumCost(operations(garment))
const periods = [90, 365]
const kept = (days: number) => sumCost(storage(days, bytes))

const tables = {
  parts: table([
    ['part', 'for a garment', 'price', 'per million garments'],
    ...used.map((part) => [
      part.name,
      `${number(part.used)} ${part.unit}`,
      `$${number(part.price)} per million`,
      dollars(costOf(part, million)),
    ]),
    ['**all operations**', '', '', `**${dollars(perMillion)}**`],
    [
      'a picture of a label more',
      `${number(label.r2Bytes)} bytes, ${number(label.rowsWritten)} rows, ${number(label.cpuMs)} ms`,
      '',
      dollars(labelCost),
    ],
    ...periods.flatMap((days) => [
      ...storage(days, bytes).map((part) => [
        `${part.name}, ${days} days`,
        `${number(part.used * 1e6)} kB-months`,
        `$${number(part.price / million)} per GB and month`,
        dollars(costOf(part, million)),
      ]),
      [`**with storage of ${days} days**`, '', '', `**${dollars(perMillion + kept(days))}**`],
    ]),
  ]),
  calls: table([
    ['call', 'rows read', 'per million calls'],
    ['a query more, as a poll', number(poll.rowsRead), dollars(callCost(poll))],
    ['a search in a small stock', number(search.rowsRead), dollars(callCost(search))],
    ['a search that looks at a step of 10,000 garments', '20,000', dollars(callCost({ ...search, rowsRead: 20_000 }))],
    ['a view of an annotated picture that no cache has', number(view.rowsRead), dollars(callCost(view))],
  ]),
  months: table([
    ['part', ...months.map((garments) => `${number(garments / million)} million a month`)],
    ['plan', ...months.map(() => dollars(planPrice))],
    ...[...used, ...storage(365, bytes)].map((part) => [
      part.name,
      ...months.map((garments) => dollars(billedFor(part, garments))),
    ]),
    [
      '**total**',
      ...months.map((garments) => {
        const total = planPrice + sum([...used, ...storage(365, bytes)].map((part) => billedFor(part, garments)))
        return `**${dollars(total)}**`
      }),
    ],
  ]),
  alternatives: table([
    ['instead', 'per million pictures'],
    ...alternatives.map(({ name, price }) => [name, dollars(price)]),
    ['Cloudflare Images, one transformation for each', dollars(500)],
  ]),
}

let text = readFileSync(path, 'utf8')
for (const [name, content] of Object.entries(tables)) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`${path} has no place for the table ${name}`)
  text = `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`
}
writeFileSync(path, text)
execFileSync('npx', ['prettier', '--write', path], { stdio: 'ignore' })
const figures = {
  databaseBytes,
  rowsWritten: garment.rowsWritten,
  operations: perMillion,
  withYear: perMillion + kept(365),
}
for (const [name, limit] of Object.entries(limits)) {
  const figure = figures[name as keyof typeof limits]
  process.stdout.write(`${figure <= limit ? 'ok    ' : 'MISSED'} ${name}: ${number(figure)} of at most ${limit}\n`)
  if (figure > limit) process.exitCode = 1
}
process.stdout.write(
  `CPU of a garment: ${number(garment.cpuMs)} ms. Stored picture: ${number(garment.r2Bytes)} bytes. Written: ${path}\n`,
)
