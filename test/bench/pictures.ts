/**
 * What pictures cost: `node test/bench/pictures.ts FILE...`. Each file is tagged ten times in workerd. Prints by how
 * much the process grew at its peak, and the longest time that another request to the same isolate had to wait.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { startWorker } from '../eval/start-worker.ts'
import { memoryMb, resetPeak, workerdsOf } from './processes.ts'

const times = 10

const worker = await startWorker('../bench/picture-worker.ts')
// One of them runs the Worker, the others are the harness's own.
const pids = workerdsOf(process.pid)
const totalMb = (name: 'VmRSS' | 'VmHWM') => pids.reduce((sum, pid) => sum + memoryMb(pid, name), 0)
const tag = async (body: Uint8Array) => await (await worker.fetch('/tag', { method: 'POST', body })).text()

try {
  const warmUp = encodeJpeg(makeFlatLay(1, { width: 1200, height: 1600 }).picture, 90)
  for (let i = 0; i < times; i++) await tag(warmUp)
  for (const file of process.argv.slice(2)) {
    const bytes = readFileSync(file)
    const before = totalMb('VmRSS')
    pids.forEach(resetPeak)
    const waits: number[] = []
    let answer = ''
    for (let i = 0; i < times; i++) {
      const tagging = { isRunning: true }
      const polls = pollWhile(() => tagging.isRunning)
      answer = await tag(bytes)
      tagging.isRunning = false
      waits.push(await polls)
    }
    const growth = totalMb('VmHWM') - before
    const wait = (Math.min(...waits) / 1000).toFixed(2)
    process.stdout.write(
      `${basename(file)}: peak ${growth.toFixed(0)} MB above ${before.toFixed(0)}, wait ${wait} s: ${answer}\n`,
    )
  }
} finally {
  await worker.close()
}

/** The longest time in ms that a light request waited. */
async function pollWhile(isRunning: () => boolean): Promise<number> {
  let longest = 0
  while (isRunning()) {
    const began = performance.now()
    await (await worker.fetch('/')).text()
    longest = Math.max(longest, performance.now() - began)
    await sleep(5)
  }
  return longest
}
