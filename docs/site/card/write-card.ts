/**
 * Draws the card to print, for each paper, where the dashboard serves it: `npm run card`. With `--check` nothing is
 * written, and a file that is not what would be drawn fails.
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
