/** Returns the quantile by nearest rank. `share` is between 0 and 1. NaN if there are no values. */
export const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
