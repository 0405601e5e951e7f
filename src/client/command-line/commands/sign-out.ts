import { parseArgs } from 'node:util'
import { tell, type Command } from '../command.ts'
import { configPath, deleteConnection, readConnection } from '../stored-connection.ts'

const help = `Usage: garment-tagging sign-out

Deletes the stored API key from this machine. To revoke it too, use the dashboard's page "API keys".`

function run(args: string[]): Promise<number> {
  parseArgs({ args, options: {} })
  const path = configPath(process.env)
  const stored = readConnection(path)
  deleteConnection(path)
  tell(
    stored === null
      ? 'Nobody is signed in.'
      : `Deleted ${path}. The key ${stored.apiKey.slice(0, 9)}… is valid until you revoke it in the dashboard.`,
  )
  return Promise.resolve(0)
}

export const signOut: Command = { summary: 'delete the stored API key', help, run }
