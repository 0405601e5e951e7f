/** The binding `AI` of Workers AI: https://developers.cloudflare.com/workers-ai/configuration/bindings/ */
export interface ModelBinding {
  readonly run: (
    model: string,
    input: object,
    options: { readonly rejectIfBusy: true; readonly signal: AbortSignal },
  ) => Promise<unknown>
}

const isModelBinding = (value: unknown): value is ModelBinding =>
  typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function'

/** `undefined` where nothing is bound, as on one's own machine. */
export function findBinding(env: object): ModelBinding | undefined {
  const bound: unknown = 'AI' in env ? env.AI : undefined
  return isModelBinding(bound) ? bound : undefined
}

/** List prices in dollars for a million tokens of input; output is free. */
const prices: Readonly<Record<string, number>> = {
  '@cf/cloudflare/clef-flash': 0.038,
  '@cf/cloudflare/clef-omni': 0.15,
  '@cf/cloudflare/clef': 0.24,
}

/** Of a model without a listed price, where the setting names none either: the dearest listed one. */
const unknownPrice = Math.max(...Object.values(prices))

/** Dollars for a million tokens. */
export const priceOf = (model: string, fromSettings: number | undefined): number =>
  fromSettings ?? prices[model] ?? unknownPrice
