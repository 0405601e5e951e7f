/**
 * `npm run card`: draws the printable card for each paper format into the dashboard's assets. With `--check`, writes
 * nothing and fails if a file differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { drawCard, papers } from './draw-card.ts'

for (const paper of papers) {
  const path = join(import.meta.dirname, '../../../src/dashboard/public/assets', paper.file)
  const drawn = drawCard(paper)
  if (!process.argv.includes('--check')) writeFileSync(path, drawn)
  else if (readFileSync(path, 'utf8') !== drawn) {
    process.stderr.write(`${path} differs from what npm run card draws\n`)
    process.exitCode = 1
  }
}
