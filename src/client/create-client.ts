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
 * A client of the service, with a method for every endpoint. It keeps no state. Throws a `GarmentTaggingError` with the
 * code `configuration` for options with which no request could be sent.
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
