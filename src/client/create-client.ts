import { checkOptions, type ClientOptions } from './connection.ts'
import { garmentMethods } from './garment-methods.ts'
import { merchantMethods, operatorMethods } from './merchant-methods.ts'
import { webhookMethods } from './webhook-methods.ts'

export interface Client
  extends
    ReturnType<typeof merchantMethods>,
    ReturnType<typeof garmentMethods>,
    ReturnType<typeof webhookMethods>,
    ReturnType<typeof operatorMethods> {}

/**
 * Creates a client with a method for every endpoint. The client keeps no state. Throws a `GarmentTaggingError` with the
 * code `configuration` if an option is invalid.
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(options)
  return {
    ...merchantMethods(options),
    ...garmentMethods(options),
    ...webhookMethods(options),
    ...operatorMethods(options),
  }
}
