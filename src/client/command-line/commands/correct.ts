import { parseArgs } from 'node:util'
import { UsageError, type Command, type Context } from '../command.ts'
import { connect } from '../connect.ts'
import { pairsOf } from '../pairs.ts'

const help = `Usage: garment-tagging correct UUID [--tag NAME=VALUE ...] [--measurement NAME=CM ...]
                               [--attribute NAME=VALUE ...]

Corrects or confirms values of a garment, and writes it.

  --tag NAME=VALUE           such as Colour=Navy
  --measurement NAME=CM      such as "Chest (cm)=52"
  --attribute NAME=VALUE     what you know of it, such as Brand=Ann

Without a value (--tag Colour=) a correction is taken back and an attribute is removed.`

const options = {
  tag: { type: 'string', multiple: true },
  measurement: { type: 'string', multiple: true },
  attribute: { type: 'string', multiple: true },
} as const

async function run(args: string[], { signal }: Context): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [uuid] = positionals
  if (uuid === undefined || positionals.length > 1) throw new UsageError('Give the uuid of one garment.')
  const correction = {
    tag: textsOf('--tag', values.tag),
    measurements: numbersOf('--measurement', values.measurement),
    attribute: textsOf('--attribute', values.attribute),
  }
  if (Object.values(correction).every((each) => Object.keys(each).length === 0))
    throw new UsageError('Give --tag, --measurement or --attribute.')
  const garment = await connect().correct(uuid, correction, { signal })
  process.stdout.write(`${JSON.stringify(garment, null, 2)}\n`)
  return 0
}

const mapValues = <T>(pairs: Readonly<Record<string, string>>, toValue: (text: string, name: string) => T) =>
  Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, text === '' ? null : toValue(text, name)]))

const textsOf = (option: string, pairs: readonly string[] | undefined) =>
  mapValues(pairsOf(option, pairs), (text) => text)

const numbersOf = (option: string, pairs: readonly string[] | undefined) =>
  mapValues(pairsOf(option, pairs), (text, name) => {
    if (!/^\d{1,4}(\.\d{1,2})?$/.test(text)) throw new UsageError(`${option} ${name} must be a number of centimetres.`)
    return Number(text)
  })

export const correct: Command = { summary: 'correct or confirm values of a garment', help, run }
