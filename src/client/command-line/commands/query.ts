import { parseArgs } from 'node:util'
import { GarmentTaggingError } from '../../error.ts'
import { tell, UsageError, type Command, type Context } from '../command.ts'
import { connect } from '../connect.ts'
import { formatOf, openResults, outputHelp, outputOptions } from '../results.ts'

const help = `Usage: garment-tagging query UUID ...

Writes garments as they are now: one as an object, several as an array.

  --wait               wait until each is complete or failed
${outputHelp}

The exit code is 1 if any is missing or could not be tagged.`

async function run(args: string[], { signal }: Context): Promise<number> {
  const options = { wait: { type: 'boolean' }, ...outputOptions } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  formatOf(values)
  if (positionals.length === 0) throw new UsageError('Give the uuid of a garment.')
  const client = connect()
  const results = openResults(client, values, positionals.length > 1)
  try {
    for (const uuid of positionals) {
      const garment = await client.query(uuid, { signal }).catch((error: unknown) => tellMissing(error, uuid))
      if (garment === null) continue
      const isWaiting = garment.status === 'queuing' || garment.status === 'processing'
      await results.write(values.wait === true && isWaiting ? await client.wait(uuid, { signal }) : garment)
    }
  } finally {
    await results.end()
  }
  const { counts } = results
  const written = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return written === positionals.length && !counts.has('failed') ? 0 : 1
}

/** So that the others are written all the same. */
function tellMissing(error: unknown, uuid: string): null {
  if (!(error instanceof GarmentTaggingError) || error.code !== 'garment_not_found') throw error
  tell(`${uuid}: ${error.message}`)
  return null
}

export const query: Command = { summary: 'write garments as they are now', help, run }
