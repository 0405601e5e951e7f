/**
 * `node test/eval/no-garment.ts DIR`: what the service makes of pictures that show no garment, in workerd. Each folder
 * in DIR has the pictures of one kind: how many are refused, how often another one gets a name of which confidence,
 * and how many are measured.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv, stdout } from 'node:process'
import { confidenceOf } from '../../src/vision/rank.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import type { Answer } from './ask-worker.ts'
import { startWorker } from './start-worker.ts'

const [, , root = '.'] = argv
const worker = await startWorker('worker.ts')
const noGarment = new PictureError('no_garment').message
const all: (Answer | undefined)[] = []

function report(kind: string, answers: readonly (Answer | undefined)[]): void {
  const named = answers.filter((answer) => answer !== undefined)
  const bests = named.map(({ ranked }) => confidenceOf(ranked['Item Type']?.[0]?.probability ?? 0))
  const counts = (['Low', 'Medium', 'High'] as const).map(
    (confidence) => `${confidence} ${bests.filter((best) => best === confidence).length}`,
  )
  const measured = named.filter(({ lines }) => lines.length > 0).length
  const share = ((100 * (answers.length - named.length)) / answers.length).toFixed(1)
  stdout.write(`${kind.padEnd(14)}${share.padStart(5)} % of ${answers.length} refused; ${counts.join(', ')}; `)
  stdout.write(`measured ${measured}\n`)
}

for (const kind of (await readdir(root)).sort()) {
  const answers: (Answer | undefined)[] = []
  for (const file of (await readdir(join(root, kind))).sort()) {
    const body = await readFile(join(root, kind, file))
    const response = await worker.fetch('/evaluate', { method: 'POST', body })
    const said = (await response.json()) as Answer | { readonly fault: string }
    if ('fault' in said && said.fault !== noGarment) throw new Error(`${kind}/${file}: ${said.fault}`)
    const answer = 'fault' in said ? undefined : said
    const best = answer?.ranked['Item Type']?.[0]
    if (best !== undefined) stdout.write(`  ${kind}/${file}: ${best.value} ${best.probability.toFixed(2)}\n`)
    answers.push(answer)
  }
  report(kind, answers)
  all.push(...answers)
}
report('all', all)
await worker.close()
