import { parseArgs } from 'node:util'
import { tell, UsageError, type Command, type Context } from '../command.ts'
import { connect } from '../connect.ts'

const help = `Usage: garment-tagging redeliver UUID [--endpoint ID]
       garment-tagging redeliver --from TIME --to TIME [--endpoint ID]

Sends the webhook of a garment once more, now, and writes its delivery; or those of a time, in the
background: every delivery that was created then and has ended.

  --from TIME        such as 2026-11-01T12:00:00Z
  --to TIME          the end of that time
  --endpoint ID      only to this endpoint. Without it, a uuid means the first one and a time all`

const text = { type: 'string' } as const

async function run(args: string[], { signal }: Context): Promise<number> {
  const options = { from: text, to: text, endpoint: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { from, to, endpoint } = values
  const [uuid] = positionals
  const ofEndpoint = endpoint === undefined ? {} : { endpoint }
  if (uuid !== undefined && positionals.length === 1 && from === undefined && to === undefined) {
    const delivery = await connect().redeliver(uuid, { signal, ...ofEndpoint })
    process.stdout.write(`${JSON.stringify(delivery, null, 2)}\n`)
    return 0
  }
  if (uuid !== undefined || from === undefined || to === undefined)
    throw new UsageError('Give the uuid of one garment, or --from and --to.')
  await connect().redeliverRange({ from, to, ...ofEndpoint }, { signal })
  tell('The service sends them in the background.')
  return 0
}

export const redeliver: Command = { summary: 'send webhooks once more', help, run }
