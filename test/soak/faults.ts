import { firstDatabase, getDatabase, listDatabases } from '../../src/platform/db/databases.ts'
import { replaceMethods, wrapDatabase } from '../support/wrap-database.ts'
import { clockFactor, realNow, serviceTime } from './clock.ts'

/** Fault rates, as shares of the calls. */
export interface FaultRates {
  /** Database calls that fail, half of them after they were executed. */
  readonly database: number
  readonly dropped: number
  readonly doubled: number
  /** Failing calls to a tenant's dispatcher. */
  readonly dispatcher: number
}

/** Real times in ms since the epoch, between which every call to a database fails. */
export interface Outage {
  readonly startMs: number
  readonly endMs: number
  /** The number of the one that fails; undefined for all. */
  readonly database?: number | undefined
}

const happens = (rate: number) => Math.random() < rate

async function failing<T>(rate: number, action: () => Promise<T>): Promise<T> {
  if (happens(rate / 2)) throw new Error('D1_ERROR: Network connection lost. (injected before)')
  const result = await action()
  if (happens(rate / 2)) throw new Error('D1_ERROR: Network connection lost. (injected after)')
  return result
}

function lossyQueue(queue: Queue, { dropped, doubled }: FaultRates): Queue {
  const copies = () => (happens(dropped) ? 0 : happens(doubled) ? 2 : 1)
  const sooner = (options: QueueSendOptions = {}) => ({
    ...options,
    delaySeconds: Math.ceil((options.delaySeconds ?? 0) / clockFactor),
  })
  return replaceMethods(queue, {
    async send(body: unknown, options?: QueueSendOptions) {
      for (let copy = copies(); copy > 0; copy--) await queue.send(body, sooner(options))
    },
    async metrics(): Promise<QueueMetrics> {
      const { oldestMessageTimestamp: oldest, ...rest } = await queue.metrics()
      return oldest === undefined ? rest : { ...rest, oldestMessageTimestamp: new Date(serviceTime(Number(oldest))) }
    },
    async sendBatch(messages: MessageSendRequest[]) {
      const kept = messages.flatMap((message) => Array<MessageSendRequest>(copies()).fill(message))
      for (let from = 0; from < kept.length; from += 100) await queue.sendBatch(kept.slice(from, from + 100))
    },
  })
}

function flakyDispatchers(namespace: Env['DISPATCHER'], rate: number): Env['DISPATCHER'] {
  return replaceMethods(namespace, {
    getByName: (name: string) => {
      if (happens(rate)) throw new Error('Network connection lost. (injected)')
      return namespace.getByName(name)
    },
  })
}

const wrapped = new WeakMap<object, Env>()

/** The bindings with faults. Returns the same object for the same bindings. */
export function withFaults(env: Env, rates: FaultRates, outage: Outage): Env {
  const known = wrapped.get(env)
  if (known !== undefined) return known
  const faultyDatabase = (number: number) =>
    wrapDatabase(getDatabase(env, number).$client, async (run) => {
      const nowMs = realNow()
      const isDown = outage.database === undefined || outage.database === number
      if (isDown && nowMs >= outage.startMs && nowMs < outage.endMs)
        throw new Error('D1_ERROR: Network connection lost. (outage)')
      return await failing(rates.database, run)
    })
  const others = listDatabases(env).filter((number) => number !== firstDatabase)
  const faulty = {
    ...env,
    DB: faultyDatabase(firstDatabase),
    ...Object.fromEntries(others.map((number) => [`DB${number}`, faultyDatabase(number)])),
    TAGGING_QUEUE: lossyQueue(env.TAGGING_QUEUE, rates),
    WEBHOOK_QUEUE: lossyQueue(env.WEBHOOK_QUEUE, rates),
    DISPATCHER: flakyDispatchers(env.DISPATCHER, rates.dispatcher),
  }
  wrapped.set(env, faulty)
  return faulty
}
