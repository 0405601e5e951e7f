import { parseArgs } from 'node:util'
import { type Command, type Context, tell, UsageError } from './command.ts'
import { connect } from './connect.ts'

const help = `Usage: garment-tagging redeliver UUID [--endpoint ID]
       garment-tagging redeliver --from TIME --to TIME [--endpoint ID]

With a UUID, sends that garment's webhook once more, now, and writes its delivery.
With a time range, sends all ended deliveries that were created in it once more, in the background.

  --from TIME        start of the range, such as 2026-11-01T12:00:00Z
  --to TIME          end of the range
  --endpoint ID      only to this endpoint. By default the first endpoint for a UUID, and all
                     endpoints for a range`

const text = { type: 'string' } as const
const options = { from: text, to: text, endpoint: text }

async function run(args: string[], { signal }: Context): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { from, to, ...endpoint } = values
  const [uuid] = positionals
  if (uuid !== undefined && positionals.length === 1 && from === undefined && to === undefined) {
    const delivery = await connect().redeliver(uuid, { signal, ...endpoint })
    process.stdout.write(`${JSON.stringify(delivery, null, 2)}\n`)
    return 0
  }
  if (uuid !== undefined || from === undefined || to === undefined)
    throw new UsageError('Give the UUID of one garment, or --from and --to.')
  await connect().redeliverRange({ from, to, ...endpoint }, { signal })
  tell('The service sends the webhooks in the background.')
  return 0
}

export const redeliver: Command = { summary: 'send webhooks once more', help, run }
