/**
 * What pictures cost: `node test/bench/pictures.ts FILE...`. Each file is tagged ten times in workerd. Prints by how much
 * the process grew at its peak, and the longest time that another request to the same isolate had to wait.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeJpeg } from '../../src/vision/image/jpeg/encode-jpeg.ts'
import { makeFlatLay } from '../../src/vision/training/flat-lay/make-flat-lay.ts'
import { startWorker } from '../eval/start-worker.ts'

const TIMES = 10

const worker = await startWorker('../bench/picture-worker.ts')
const pid = workerdOf(process.pid)
const tag = async (body: Uint8Array) => await (await worker.fetch('/tag', { method: 'POST', body })).text()

try {
  const warmUp = encodeJpeg(makeFlatLay(1, { width: 1200, height: 1600 }).picture, 90)
  for (let i = 0; i < TIMES; i++) await tag(warmUp)
  for (const file of process.argv.slice(2)) {
    const bytes = readFileSync(file)
    const before = status('VmRSS')
    // Resets the peak (proc(5), clear_refs).
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const waits: number[] = []
    let answer = ''
    for (let i = 0; i < TIMES; i++) {
      const tagging = { isRunning: true }
      const polls = pollWhile(() => tagging.isRunning)
      answer = await tag(bytes)
      tagging.isRunning = false
      waits.push(await polls)
    }
    const growth = status('VmHWM') - before
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

/** MB of a line of /proc/PID/status. */
function status(name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) / 1000
}

/** The process id of the workerd that descends from a process. */
function workerdOf(ancestor: number): number {
  const parents = new Map<number, number>()
  const names = new Map<number, string>()
  for (const path of globSync('/proc/[0-9]*/stat')) {
    const [, id, name = '', parent] = /^(\d+) \((.*)\) \S (\d+)/.exec(readFileSync(path, 'utf8')) ?? []
    parents.set(Number(id), Number(parent))
    names.set(Number(id), name)
  }
  const isDescendant = (id: number): boolean =>
    id === ancestor || (parents.has(id) && isDescendant(parents.get(id) ?? 0))
  const found = [...names].find(([id, name]) => name === 'workerd' && isDescendant(id))
  if (found === undefined) throw new Error('workerd is not running')
  return found[0]
}
