/**
 * Checks the direction of imports in `src`, that comments can be read, that statements create nothing for tenants that
 * are gone, and that one file writes the rows of a state machine. Run by `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { tenantTables } from '../support/check-statements.ts'

/** From the roof down: a room imports from the layers below its own. CONTRIBUTING draws them. */
const layers = [
  ['index.ts'],
  ['app.ts'],
  ['api.ts'],
  ['dashboard', 'client', 'local'],
  ['operations'],
  ['imports', 'exports', 'webhooks', 'tagging'],
  ['garments'],
  ['accounts'],
  ['events'],
  ['vision'],
  ['platform'],
  ['settings.ts', 'log.ts', 'metrics.ts', 'time.ts'],
]

/** What may be imported besides. */
const arrows = new Set(['tagging -> webhooks'])

const maxCommentColumns = 120

/** A line that is a comment; one that a line of code ends with is part of that line. */
const comments = { python: /^\s*#/, other: /^\s*(?:\/\/|\/?\*)/ }

const importPattern = /(?:^(?:import|export|\}).*?|\bimport\()'(\.{1,2}\/[^']+)'/gm

const roomOf = (path: string) => path.split('/')[0] ?? ''
const layerOf = (room: string) => layers.findIndex((rooms) => rooms.includes(room))

const problems: string[] = []

function checkImports(path: string, source: string): void {
  const room = roomOf(path)
  if (layerOf(room) === -1) problems.push(`src/${path} is in no room of test/structure/check-structure.ts`)
  for (const [, specifier = ''] of source.matchAll(importPattern)) {
    const target = join(dirname(path), specifier)
    if (target.startsWith('../node_modules/')) continue
    const other = roomOf(target)
    if (room !== other && layerOf(other) <= layerOf(room) && !arrows.has(`${room} -> ${other}`))
      problems.push(`src/${path} imports ${specifier}, against the direction of imports`)
    if (room === 'vision' && other === 'platform' && !target.startsWith('platform/limits/'))
      problems.push(`src/${path} imports ${specifier}, although vision uses only limits of the platform`)
  }
}

/** What an operator sets, what creates a tenant, and what the sweep removes by its time. */
const insertedAsValues = new Set(['pauses', 'retags', 'tenantState', 'tenantPurges', 'unusedPictures'])

const conditional = tenantTables.map(({ name }) => name).filter((name) => !insertedAsValues.has(name))

/** An insert of values, of the builder or as text. */
const valuesPattern = new RegExp(
  `\\.insert\\((${conditional.join('|')})\\)(?:\\s*//.*)*\\s*\\.values\\(|INTO \\$\\{(${conditional.join('|')})\\}[^\`]*?\\bVALUES\\b`,
  'g',
)

function checkInserts(path: string, source: string): void {
  for (const [, builder, text] of source.matchAll(valuesPattern))
    problems.push(
      `src/${path} inserts values into ${builder ?? text}: insert a select that finds nothing once the tenant is deleted`,
    )
}

/** The only file that writes rows of a state machine. */
const machines = [
  ['garments', 'garments/transitions.ts'],
  ['deliveries', 'events/transitions.ts'],
] as const

function checkTransitions(path: string, source: string): void {
  for (const [table, file] of machines)
    if (
      path !== file &&
      new RegExp(`(?:insert|update|delete)\\(${table}\\)|(?:INTO|UPDATE|DELETE FROM) \\$\\{${table}\\}`).test(source)
    )
      problems.push(`src/${path} writes ${table}: the statements that do are in src/${file}`)
}

function checkComments(path: string, source: string): void {
  const comment = path.endsWith('.py') ? comments.python : comments.other
  for (const [index, line] of source.split('\n').entries())
    if (line.length > maxCommentColumns && comment.test(line))
      problems.push(`${path}:${index + 1} has a comment of more than ${maxCommentColumns} columns`)
}

for (const path of globSync(['*.ts', '{src,docs,training,test}/**/*.{ts,tsx,js,mjs,py}'], {
  exclude: ['worker-configuration.d.ts', 'src/dashboard/public/docs/**'],
})) {
  const source = readFileSync(path, 'utf8')
  checkComments(path, source)
  if (!path.startsWith('src/')) continue
  checkImports(relative('src', path), source)
  checkInserts(relative('src', path), source)
  checkTransitions(relative('src', path), source)
}

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
