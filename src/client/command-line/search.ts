import { parseArgs } from 'node:util'
import type { GarmentsQuery } from '../types.ts'
import { type Command, type Context, UsageError } from './command.ts'
import { connect } from './connect.ts'
import { openOutput } from './results.ts'

const help = `Usage: garment-tagging search [WORDS] [--type TYPE] [--colour COLOUR] [--size SIZE] [--limit N]

Writes garments as JSON, a line for each, the newest first: all that have the words in type, colour,
pattern, fabric, size, brand, title, uuid or your own values, in any of five languages.

  --status STATUS      queuing, processing, complete, failed
  --type TYPE          such as Dress
  --colour COLOUR      such as Red
  --size SIZE          such as M
  --gender GENDER      such as women
  --stage STAGE        draft, ready, listed, sold, withdrawn
  --min-price PRICE    and --max-price PRICE
  --limit N            stops after so many
  -o, --output FILE    write to a file instead of the standard output`

async function run(args: string[], { signal }: Context): Promise<number> {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      status: text,
      type: text,
      colour: text,
      size: text,
      gender: text,
      stage: text,
      'min-price': text,
      'max-price': text,
      limit: text,
      output: { type: 'string', short: 'o' },
    },
  })
  const { limit = 'Infinity', output: file, 'min-price': min, 'max-price': max, ...filter } = values
  let left = limit === 'Infinity' ? Infinity : Number(limit)
  if (left !== Infinity && !(Number.isInteger(left) && left > 0))
    throw new UsageError('--limit must be a whole number above 0.')
  // The service refuses what it does not know, with a sentence.
  const query = {
    ...filter,
    q: positionals.length === 0 ? undefined : positionals.join(' '),
    min_price: min,
    max_price: max,
  } as unknown as GarmentsQuery
  const client = connect()
  const output = openOutput(file)
  try {
    for await (const garment of client.garments({ ...query, limit: Math.min(left, 100) }, { signal })) {
      await output.write(`${JSON.stringify(garment)}\n`)
      if (--left === 0) break
    }
  } finally {
    output.close()
  }
  return 0
}

export const search: Command = { summary: 'write the garments that have some words', help, run }
