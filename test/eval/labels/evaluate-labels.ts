import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type LabelConfidence, type LabelKey, labelKeys } from '../../../src/labels/understanding/understand-label.ts'
import { processorMs, workerdsOf } from '../../bench/processes.ts'
import { startWorker } from '../start-worker.ts'

/** What a label says; null for what it does not say. */
export type LabelTruth = Readonly<Record<LabelKey, string | null>>

type Answer = Partial<Record<LabelKey, { readonly value: string; readonly confidence: LabelConfidence }>>

export interface LabelFigures {
  readonly labels: number
  /** By key: labels that have it, those of which it was read exactly, and values that a label does not have. */
  readonly keys: Readonly<
    Record<LabelKey, { readonly present: number; readonly right: number; readonly invented: number }>
  >
  /** Values that are present, and those of them that are right with the confidence High. */
  readonly present: number
  readonly rightHigh: number
  readonly high: number
  readonly wrongHigh: number
  /** Processor time beyond decoding, in ms, sorted. */
  readonly cpuMs: readonly number[]
}

/** Renders labels with `training/labels/render.py` into a temporary folder, which is removed afterwards. */
export async function evaluateRenderedLabels(seed: number, count: number, python: string): Promise<LabelFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'labels-'))
  try {
    const render = join(import.meta.dirname, '../../../training/labels/render.py')
    execFileSync(python, [render, '--seed', String(seed), '--count', String(count), '--out', folder], {
      stdio: 'inherit',
    })
    return await evaluateLabels(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Reads the pictures of a folder, of which `labels.json` says what is on them, in workerd. */
export async function evaluateLabels(folder: string): Promise<LabelFigures> {
  const truths = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')) as Record<string, LabelTruth>
  const worker = await startWorker('worker.ts')
  const pids = workerdsOf(process.pid)
  const ask = async (path: string, bytes: Uint8Array) => {
    const before = processorMs(pids)
    const response = await worker.fetch(path, { method: 'POST', body: bytes })
    return { answer: (await response.json()) as Answer, ms: processorMs(pids) - before }
  }
  const keys = Object.fromEntries(labelKeys.map((key) => [key, { present: 0, right: 0, invented: 0 }])) as Record<
    LabelKey,
    { present: number; right: number; invented: number }
  >
  const totals = { present: 0, rightHigh: 0, high: 0, wrongHigh: 0 }
  const cpuMs: number[] = []
  try {
    for (const [name, truth] of Object.entries(truths)) {
      const bytes = readFileSync(join(folder, name))
      const decoding = await ask('/label-picture', bytes)
      const { answer, ms } = await ask('/label', bytes)
      cpuMs.push(ms - decoding.ms)
      for (const key of labelKeys) {
        const [read, wanted] = [answer[key], truth[key]]
        const isRight = wanted !== null && read?.value === wanted
        const isHigh = read?.confidence === 'High'
        keys[key].present += Number(wanted !== null)
        keys[key].right += Number(isRight)
        keys[key].invented += Number(wanted === null && read !== undefined && read.confidence !== 'Low')
        totals.present += Number(wanted !== null)
        totals.high += Number(isHigh)
        totals.rightHigh += Number(isHigh && isRight)
        totals.wrongHigh += Number(isHigh && !isRight)
      }
    }
  } finally {
    await worker.close()
  }
  return { labels: cpuMs.length, keys, ...totals, cpuMs: cpuMs.sort((a, b) => a - b) }
}

export function formatLabels(
  name: string,
  { labels, keys, present, rightHigh, high, wrongHigh, cpuMs }: LabelFigures,
): string {
  const share = (part: number, whole: number) => (whole === 0 ? '-' : (part / whole).toFixed(3))
  const rows = labelKeys.map((key) => {
    const { present: all, right, invented } = keys[key]
    return `  ${key.padEnd(18)} ${share(right, all)} exact of ${all}; ${invented} invented`
  })
  const at = (part: number) => cpuMs[Math.min(cpuMs.length - 1, Math.floor(cpuMs.length * part))]!.toFixed(0)
  return [
    `${name}: ${labels} labels`,
    ...rows,
    `  High and right: ${share(rightHigh, present)} of the values present; High but wrong: ${share(wrongHigh, high)} of ${high}`,
    `  CPU beyond decoding: median ${at(0.5)} ms, most ${at(1)} ms`,
  ].join('\n')
}
