/**
 * Checks the direction of imports in `src`, unique file names, the width of comments and the files they mention, that
 * no statement creates rows for deleted tenants, that one file writes the rows of each state machine, and that records
 * are not read by clients' names as if these were fields. Part of `npm run check`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import process from 'node:process'
import { tenantTables } from '../support/check-statements.ts'

/** Highest layer first. A room imports only from layers below its own. CONTRIBUTING draws them. */
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
  ['labels'],
  ['vision'],
  ['platform'],
  ['settings.ts', 'log.ts', 'metrics.ts', 'time.ts'],
]

/** Imports within a layer that are allowed. */
const arrows = new Set(['tagging -> webhooks'])

const maxCommentColumns = 120

/** Matches lines that contain only a comment. */
const comments = { python: /^\s*#/, other: /^\s*(?:\/\/|\/?\*)/ }

const commentAfterCode = / (?:\/\/|#) .*/

/** A file name or path in a comment, without placeholders such as `<part>-routes.ts`. */
const mentionPattern =
  /(?<![\w*<>./$-])(?:\.{1,2}\/)*([\w-][\w./-]*\.(?:tsx?|jsx?|mjs|py|md|sql|toml|wasm))\b(?![\w*<>(])/g

/** Names of products that look like file names. */
const products = new Set(['Node.js', 'highlight.js'])

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

/** Tables whose rows an operator sets, that create a tenant, or that the sweep removes by time. */
const insertedAsValues = new Set(['pauses', 'retags', 'tenantState', 'tenantPurges', 'unusedCopies'])

const conditional = tenantTables.map(({ name }) => name).filter((name) => !insertedAsValues.has(name))

/** An insert of values, by the query builder or as SQL text. */
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

/** State machines, and the files that may write their rows. */
const machines = [
  { table: 'garments', files: ['garments/transitions.ts', 'garments/turns.ts'] },
  {
    table: 'deliveries',
    files: [
      'events/delivery-transitions.ts',
      'events/account-events.ts',
      'events/end-deliveries.ts',
      'events/remove-deliveries.ts',
    ],
  },
]

function checkTransitions(path: string, source: string): void {
  for (const { table, files } of machines)
    if (
      !files.includes(path) &&
      new RegExp(`(?:insert|update|delete)\\(${table}\\)|(?:INTO|UPDATE|DELETE FROM) \\$\\{${table}\\}`).test(source)
    )
      problems.push(`src/${path} writes ${table}: only ${files.join(' and ')} may`)
}

/** Rooms whose records have names that clients choose, such as attributes and columns. */
const roomsOfRecords = ['garments', 'imports', 'exports']

/** Matches the reading of a record by a variable name. For `constructor` that returns a function. */
const recordPattern =
  /(?<!\.)\b(?:attribute|supplied|values|before|after|current|chosen|row)\[(?:name|column|header|spelling|target)\](?! =)/g

function checkRecords(path: string, source: string): void {
  if (!roomsOfRecords.includes(roomOf(path))) return
  for (const [found] of source.matchAll(recordPattern))
    problems.push(`src/${path} reads ${found}: use valueOf of platform/value-of.ts`)
}

const existingPaths = globSync(['*', '{src,docs,training,test,.ci,migrations}/**/*'], {
  exclude: ['src/dashboard/public/docs/**', 'src/dashboard/public/assets/codes/**'],
}).map((path) => `/${path}`)

function checkComments(path: string, source: string): void {
  const comment = path.endsWith('.py') ? comments.python : comments.other
  for (const [index, line] of source.split('\n').entries()) {
    const isComment = comment.test(line)
    if (line.length > maxCommentColumns && isComment)
      problems.push(`${path}:${index + 1} has a comment of more than ${maxCommentColumns} columns`)
    for (const [, name = ''] of (isComment ? line : (commentAfterCode.exec(line)?.[0] ?? '')).matchAll(mentionPattern))
      if (!products.has(name) && !existingPaths.some((existing) => existing.endsWith(`/${name}`)))
        problems.push(`${path}:${index + 1} mentions ${name}, which does not exist`)
  }
}

/** Entry points. */
const repeatedNames = new Set(['index.ts'])

/** A file's name must tell its room, so no two rooms have files of the same name. */
function checkNames(paths: readonly string[]): void {
  for (const [name, sameName = []] of Object.entries(Object.groupBy(paths, (path) => basename(path)))) {
    const rooms = new Set(sameName.map(roomOf))
    if (rooms.size > 1 && !repeatedNames.has(name))
      problems.push(`These files need different names: ${sameName.join(', ')}`)
  }
}

checkNames(globSync('**/*.{ts,tsx}', { cwd: 'src' }))

for (const path of globSync(['*.ts', '{src,docs,training,test}/**/*.{ts,tsx,js,mjs,py}'], {
  exclude: ['worker-configuration.d.ts', 'src/dashboard/public/docs/**', 'src/dashboard/public/assets/codes/**'],
})) {
  const source = readFileSync(path, 'utf8')
  checkComments(path, source)
  if (!path.startsWith('src/')) continue
  checkImports(relative('src', path), source)
  checkInserts(relative('src', path), source)
  checkTransitions(relative('src', path), source)
  checkRecords(relative('src', path), source)
}

/** A path from the root of the project, in a Markdown file. */
const pathPattern = /(?<![\w/.])(?:src|docs|test|training)\/[\w./-]*\w/g

for (const document of globSync(['*.md', '{docs,training,src}/**/*.md']))
  for (const [path] of readFileSync(document, 'utf8').matchAll(pathPattern))
    if (!existsSync(path)) problems.push(`${document} mentions ${path}, which does not exist`)

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
