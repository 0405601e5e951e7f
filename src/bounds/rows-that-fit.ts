interface Step {
  readonly rows: number
  readonly characters: number
}

/**
 * How many rows the next step of a reading takes, because the rows of a step are parsed together: as many as have about
 * `characters`, if they are as long as those just read, at least one and at most `rows`.
 */
export function rowsThatFit(read: Step, most: Step): number {
  const fit = Math.floor((most.characters * read.rows) / Math.max(1, read.characters))
  return Math.min(most.rows, Math.max(1, fit))
}
