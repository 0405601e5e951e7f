import type { Counts } from './counts.ts'

/** Prices of the paid Workers plan, in dollars, as listed in November 2026. */
export interface Part {
  readonly name: string
  /** Amount per garment, in `unit`. */
  readonly used: number
  readonly unit: string
  /** Price per million units. */
  readonly price: number
  /** Free units per month. */
  readonly included: number
}

const million = 1_000_000
export const planPrice = 5

/** Assumptions that cannot be counted. */
const assumptions = {
  /** Share of garments whose annotated picture is opened once, without a cached copy. */
  viewedShare: 0.2,
  /** A dispatcher of 128 MB waits half a second for its receiver. Gates respond at once. */
  objectGbSeconds: 0.064,
}

export const { viewedShare } = assumptions

export function operations(counts: Counts): Part[] {
  const part = (name: string, used: number, unit: string, price: number, included: number): Part => ({
    name,
    used,
    unit,
    price,
    included,
  })
  const { objectGbSeconds } = assumptions
  return [
    part('requests', counts.requests + counts.batches, 'requests', 0.3, 10 * million),
    part('CPU', counts.cpuMs, 'ms', 0.02, 30 * million),
    part('D1 rows written', counts.rowsWritten, 'rows', 1, 50 * million),
    part('D1 rows read', counts.rowsRead, 'rows', 0.001, 25_000 * million),
    part('Durable Object requests', counts.objectRequests, 'requests', 0.15, million),
    part('Durable Object rows written', counts.objectRows, 'rows', 1, 50 * million),
    part('Durable Object duration', objectGbSeconds, 'GB-s', 12.5, 400_000),
    part('queue operations', counts.queueOperations, 'operations', 0.4, million),
    part('R2 writes', counts.r2Writes, 'operations', 4.5, million),
    part('R2 reads', counts.r2Reads, 'operations', 0.36, 10 * million),
    part('log lines', counts.logLines, 'lines', 0.6, 20 * million),
    part('Analytics Engine points', counts.points, 'points', 0.25, 10 * million),
  ]
}

const daysOfMonth = 365 / 12

interface StoredBytes {
  readonly databaseBytes: number
  readonly r2Bytes: number
}

/** Stored GB per garment of a month, if garments arrive evenly and are kept for that time. */
export const storage = (days: number, { databaseBytes, r2Bytes }: StoredBytes): readonly Part[] => [
  {
    name: 'D1 storage',
    used: (databaseBytes * days) / daysOfMonth / 1e9,
    unit: 'GB',
    price: 0.75 * million,
    included: 5,
  },
  {
    name: 'R2 storage',
    used: (r2Bytes * days) / daysOfMonth / 1e9,
    unit: 'GB',
    price: 0.015 * million,
    included: 10,
  },
]

/** Dollars per million calls. */
export const callCost = (counts: Counts) => {
  const { requests, batches, cpuMs, rowsRead, rowsWritten, objectRequests, objectRows, r2Writes, r2Reads } = counts
  return (
    (requests + batches) * 0.3 +
    cpuMs * 0.02 +
    rowsWritten +
    rowsRead * 0.001 +
    objectRequests * 0.15 +
    objectRows +
    r2Writes * 4.5 +
    r2Reads * 0.36 +
    counts.logLines * 0.6 +
    counts.points * 0.25
  )
}

/** Dollars per month for a number of garments. */
export const costOf = ({ used, price }: Part, garments: number) => (used * garments * price) / million

export const billedFor = (part: Part, garments: number) =>
  (Math.max(0, part.used * garments - part.included) * part.price) / million

/**
 * Alternatives: models that answer questions about a picture, with prices of Workers AI in October 2026 in dollars per
 * million tokens. A picture with our attributes is about 2,500 input tokens, and an answer about 300 output tokens.
 */
export const alternatives = [
  { name: 'Workers AI clef-flash', input: 0.038, output: 0 },
  { name: 'Workers AI clef-omni', input: 0.15, output: 0 },
  { name: 'Workers AI clef', input: 0.24, output: 0 },
  { name: 'Workers AI gemma-4-26b', input: 0.1, output: 0.3 },
  { name: 'Workers AI moondream3.1-9B', input: 0.3, output: 1 },
  { name: 'Workers AI qwen3.8-27b', input: 0.45, output: 3.2 },
].map(({ name, input, output }) => ({ name, price: input * 2500 + output * 300 }))
