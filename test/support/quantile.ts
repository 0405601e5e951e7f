/** The quantile by nearest rank, for a share from 0 to 1. NaN without values. */
export const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
