import { parseArgs } from 'node:util'
import { GarmentTaggingError } from '../../error.ts'
import { tell, UsageError, type Command, type Context } from '../command.ts'
import { connect } from '../connect.ts'

const help = `Usage: garment-tagging delete UUID ...

Deletes garments with their pictures, in any state. What is pending of their webhooks ends. A later
upload of the same uuid is a new garment.

The exit code is 1 if any is not there.`

async function run(args: string[], { signal }: Context): Promise<number> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  if (positionals.length === 0) throw new UsageError('Give the uuid of a garment.')
  const client = connect()
  let missing = 0
  for (const uuid of positionals) {
    try {
      await client.delete(uuid, { signal })
      tell(`Deleted ${uuid}.`)
    } catch (error) {
      if (!(error instanceof GarmentTaggingError) || error.code !== 'garment_not_found') throw error
      missing++
      tell(`${uuid}: ${error.message}`)
    }
  }
  return missing === 0 ? 0 : 1
}

export const deleteCommand: Command = { summary: 'delete garments', help, run }
