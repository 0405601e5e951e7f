/** The value that `share` of all values are below, by the nearest rank; NaN where there are none. */
export const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
