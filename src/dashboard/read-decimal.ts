/**
 * A number that a person typed, with a decimal point or comma; NaN for anything else. Browsers leave the comma out of a
 * number field where their language has none, so these fields are text fields.
 */
export function readDecimal(text: string): number {
  return /^[+-]?\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN
}
