import { checkOptions, type ClientOptions } from './connection.ts'
import { garmentMethods, type GarmentMethods, importMethods, type ImportMethods } from './garment-methods.ts'
import { merchantMethods, type MerchantMethods, operatorMethods, type OperatorMethods } from './merchant-methods.ts'
import { webhookMethods, type WebhookMethods } from './webhook-methods.ts'

export interface Client extends MerchantMethods, GarmentMethods, ImportMethods, WebhookMethods, OperatorMethods {}

/**
 * A client of the service, with a method for every endpoint. It keeps no state. Throws a `GarmentTaggingError` with the
 * code `configuration` for options with which no request could be sent.
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(options)
  return {
    ...merchantMethods(options),
    ...garmentMethods(options),
    ...importMethods(options),
    ...webhookMethods(options),
    ...operatorMethods(options),
  }
}
