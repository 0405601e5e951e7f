import { countDatabase } from '../support/count-database.ts'
import { replaceMethods } from '../support/wrap-database.ts'
import type { Counts } from './counts.ts'

/** Wraps the bindings and counts every billed use. */
export function countEnv(env: Env, counts: Counts): Env {
  const objects = (namespace: object, onCall: (method: string) => void) =>
    replaceMethods(namespace, {
      getByName: (...args: Parameters<Env['GATE']['getByName']>) => {
        const stub = (namespace as Env['GATE']).getByName(...args)
        return new Proxy(stub, {
          get: (_, method) => {
            const call: unknown = Reflect.get(stub, method)
            if (typeof call !== 'function' || typeof method !== 'string') return call
            return async (...values: unknown[]) => {
              onCall(method)
              return await (Reflect.apply(call, stub, values) as Promise<unknown>)
            }
          },
        })
      },
    })
  const queue = (real: Queue) =>
    replaceMethods(real, {
      send: async (...args: Parameters<Queue['send']>) => {
        counts.queueOperations++
        return await real.send(...args)
      },
      sendBatch: async (messages: MessageSendRequest[]) => {
        counts.queueOperations += messages.length
        return await real.sendBatch(messages)
      },
    })
  const { PICTURES: pictures } = env
  const add = (which: 'r2Writes' | 'r2Reads', method: 'list' | 'get' | 'head') => ({
    [method]: async (...args: never[]) => {
      counts[which]++
      return await (Reflect.apply(pictures[method], pictures, args) as Promise<unknown>)
    },
  })
  const call = () => void counts.objectRequests++
  return {
    ...env,
    DB: countDatabase(env.DB, () => {}, counts).DB,
    PICTURES: replaceMethods(pictures, {
      put: async (...args: Parameters<R2Bucket['put']>) => {
        counts.r2Writes++
        if (args[1] instanceof Uint8Array) counts.r2Bytes += args[1].byteLength
        return await pictures.put(...args)
      },
      ...add('r2Writes', 'list'),
      ...add('r2Reads', 'get'),
      ...add('r2Reads', 'head'),
    }),
    TAGGING_QUEUE: queue(env.TAGGING_QUEUE),
    WEBHOOK_QUEUE: queue(env.WEBHOOK_QUEUE),
    GATE: objects(env.GATE, (method) => {
      counts.objectRequests++
      if (method === 'enter') counts.objectRows++
    }),
    DISPATCHER: objects(env.DISPATCHER, call),
    THROTTLE: objects(env.THROTTLE, call),
    METRICS: { writeDataPoint: () => void counts.points++ },
  } as Env
}
