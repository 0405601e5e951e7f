import { parseArgs } from 'node:util'
import { GarmentTaggingError } from '../../error.ts'
import type { Garment } from '../../types.ts'
import { tell, UsageError, type Command, type Context } from '../command.ts'
import { connect } from '../connect.ts'
import { formatOf, outputHelp, outputOptions, writeGarments } from '../results.ts'

const help = `Usage: garment-tagging query UUID ...

Writes garments as they are now.

  --wait               wait until each is complete or failed
${outputHelp}

The exit code is 1 if any is missing or could not be tagged.`

async function run(args: string[], { signal }: Context): Promise<number> {
  const options = { wait: { type: 'boolean' }, ...outputOptions } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  formatOf(values)
  if (positionals.length === 0) throw new UsageError('Give the uuid of a garment.')
  const client = connect()
  const garments: Garment[] = []
  for (const uuid of positionals) {
    const garment = await client.query(uuid, { signal }).catch((error: unknown) => tellMissing(error, uuid))
    if (garment === null) continue
    const isWaiting = garment.status === 'queuing' || garment.status === 'processing'
    garments.push(values.wait === true && isWaiting ? await client.wait(uuid, { signal }) : garment)
  }
  if (garments.length > 0) await writeGarments(garments, values)
  const areAllFound = garments.length === positionals.length
  return areAllFound && garments.every(({ status }) => status !== 'failed') ? 0 : 1
}

/** So that the others are written all the same. */
function tellMissing(error: unknown, uuid: string): null {
  if (!(error instanceof GarmentTaggingError) || error.code !== 'garment_not_found') throw error
  tell(`${uuid}: ${error.message}`)
  return null
}

export const query: Command = { summary: 'write garments as they are now', help, run }
