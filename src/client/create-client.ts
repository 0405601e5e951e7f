import type { CallOptions, ClientOptions } from './connection.ts'
import { garmentMethods } from './garment-methods.ts'
import { merchantMethods } from './merchant-methods.ts'
import { operatorMethods } from './operator-methods.ts'
import { sendForData } from './send.ts'
import { webhookMethods } from './webhook-methods.ts'

/** A client of the service, with a method for every endpoint. It keeps no state. */
export function createClient(options: ClientOptions) {
  return {
    ...merchantMethods(options),
    ...garmentMethods(options),
    ...webhookMethods(options),
    ...operatorMethods(options),

    /** Throws unless the service responds. */
    async checkHealth({ signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { scope: 'anyone', method: 'GET', path: '/health', signal })
    },
  }
}

export type Client = ReturnType<typeof createClient>
