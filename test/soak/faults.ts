import { clockFactor } from './clock.ts'

/** How often each thing goes wrong on our side, as a share of the calls. */
export interface FaultRates {
  /** Calls to the database that fail, half of them after they were carried out. */
  readonly database: number
  readonly dropped: number
  readonly doubled: number
  /** Calls to a tenant's dispatcher that fail. */
  readonly dispatcher: number
}

const happens = (rate: number) => Math.random() < rate

async function failing<T>(rate: number, action: () => Promise<T>): Promise<T> {
  if (happens(rate / 2)) throw new Error('D1_ERROR: Network connection lost. (injected before)')
  const result = await action()
  if (happens(rate / 2)) throw new Error('D1_ERROR: Network connection lost. (injected after)')
  return result
}

/** The target, with some of its methods replaced. */
function replacing<T extends object>(target: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(_, property) {
      if (typeof property === 'string' && property in methods) return methods[property]
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function flakyDatabase(database: D1Database, rate: number): D1Database {
  // A batch takes real statements only.
  const originals = new WeakMap<object, D1PreparedStatement>()
  function wrap(statement: D1PreparedStatement): D1PreparedStatement {
    const wrapped = replacing(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: async () => await failing(rate, () => statement.run()),
      all: async () => await failing(rate, () => statement.all()),
      raw: async () => await failing(rate, () => statement.raw()),
    })
    originals.set(wrapped, statement)
    return wrapped
  }
  return replacing(database, {
    prepare: (sql: string) => wrap(database.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) =>
      await failing(rate, () => database.batch(statements.map((statement) => originals.get(statement) ?? statement))),
  })
}

function lossyQueue(queue: Queue, { dropped, doubled }: FaultRates): Queue {
  const copies = () => (happens(dropped) ? 0 : happens(doubled) ? 2 : 1)
  const sooner = (options: QueueSendOptions = {}) => ({
    ...options,
    delaySeconds: Math.ceil((options.delaySeconds ?? 0) / clockFactor),
  })
  return replacing(queue, {
    async send(body: unknown, options?: QueueSendOptions) {
      for (let copy = copies(); copy > 0; copy--) await queue.send(body, sooner(options))
    },
    async sendBatch(messages: MessageSendRequest[]) {
      const kept = messages.flatMap((message) => Array<MessageSendRequest>(copies()).fill(message))
      for (let from = 0; from < kept.length; from += 100) await queue.sendBatch(kept.slice(from, from + 100))
    },
  })
}

function flakyDispatchers(namespace: Env['DISPATCHER'], rate: number): Env['DISPATCHER'] {
  return replacing(namespace, {
    getByName: (name: string) => {
      if (happens(rate)) throw new Error('Network connection lost. (injected)')
      return namespace.getByName(name)
    },
  })
}

const wrapped = new WeakMap<object, Env>()

/** The bindings, with faults in whatever the service is to survive. The same object for the same bindings. */
export function withFaults(env: Env, rates: FaultRates): Env {
  const known = wrapped.get(env)
  if (known !== undefined) return known
  const faulty = {
    ...env,
    DB: flakyDatabase(env.DB, rates.database),
    TAGGING_QUEUE: lossyQueue(env.TAGGING_QUEUE, rates),
    WEBHOOK_QUEUE: lossyQueue(env.WEBHOOK_QUEUE, rates),
    DISPATCHER: flakyDispatchers(env.DISPATCHER, rates.dispatcher),
  }
  wrapped.set(env, faulty)
  return faulty
}
