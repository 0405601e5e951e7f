/**
 * Checks the direction of imports in `src`, that CONTRIBUTING's map has its folders, and the width of comments. Run by
 * `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'

/** Bottom-up: an entry may import from itself and from the entries before it. */
const order = [
  'log.ts',
  'metrics.ts',
  'time.ts',
  'count.ts',
  'yield-to-event-loop.ts',
  'bounds',
  'csv',
  'settings.ts',
  'http',
  'db',
  'queue',
  'outbound',
  'vision/picture-error.ts',
  'vision/picture.ts',
  'vision/geometry.ts',
  'vision/rank.ts',
  'vision/scene.ts',
  'vision/taxonomy',
  'vision/image',
  'vision/segment',
  'vision/card',
  'vision/view.ts',
  'vision/opinion.ts',
  'vision/tagging.ts',
  'vision/lines',
  'vision/shape',
  'vision/colour',
  'vision/network',
  'vision/predict',
  'vision/points',
  'vision/attributes',
  'vision/opinion',
  'vision/annotate',
  'vision',
  'rate-limit',
  'tombstone',
  'audit',
  'merchant',
  'tenant',
  'events',
  'account-event',
  'api-key',
  'gate',
  'studio',
  'usage',
  'second-opinion',
  'quota',
  'pause',
  'correction/rules',
  'taxonomy',
  'listing',
  'garment',
  'export',
  'search',
  'events/delivery-error.ts',
  'webhooks/errors.ts',
  'webhook/config',
  'webhook/request',
  'webhook/delivery',
  'webhook/redelivery',
  'webhook/maintenance',
  'webhook/dispatch',
  'webhook/endpoint',
  'webhook',
  'review',
  'correction',
  'import',
  'deletion',
  'tagging',
  'sweep',
  'operator',
  'overview',
  'dashboard',
  'local',
  'client',
  'api.ts',
  'app.ts',
  'index.ts',
]
const maxCommentColumns = 120

/** Of a line; one that a line of code ends with is part of that line. */
const comments = { python: /^\s*#/, other: /^\s*(?:\/\/|\/?\*)/ }

const importPattern = /(?:from|import|import\()\s*'(\.{1,2}\/[^']+)'/g

/** The index in `order` of the longest entry that contains the path, or -1. */
function rankOf(path: string): number {
  const entries = order.filter((entry) => path === entry || path.startsWith(`${entry}/`))
  const longest = entries.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? -1 : order.indexOf(longest)
}

const problems: string[] = []

/** An import against the direction also finds every circle between entries. */
function checkImports(path: string, source: string): void {
  const rank = rankOf(path)
  if (rank === -1) problems.push(`src/${path} is in no folder of the list in test/structure/check-structure.ts`)
  for (const [, specifier = ''] of source.matchAll(importPattern)) {
    const target = join(dirname(path), specifier)
    if (target.startsWith('..') || rankOf(target) > rank)
      problems.push(`src/${path} imports ${specifier}, against the direction of imports`)
    if (path.startsWith('vision/') && !/^(vision\/|yield-to-event-loop\.ts$)/.test(target))
      problems.push(`src/${path} imports ${specifier}, although vision uses no other folder`)
  }
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
  if (path.startsWith('src/')) checkImports(relative('src', path), source)
}

const map = readFileSync('CONTRIBUTING.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('│'))
  .join(' ')
for (const folder of new Set(order.map((entry) => entry.split('/')[0])))
  if (!map.includes(` ${folder}${folder?.endsWith('.ts') ? '' : '/'} `) && !/^(api|app|index)\.ts$/.test(folder ?? ''))
    problems.push(`src/${folder} is not on the map in CONTRIBUTING.md`)

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
