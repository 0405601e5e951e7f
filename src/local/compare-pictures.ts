/** A page of what the rows of a database say of storage, or of what storage has; those of the rows come first. */
export interface PicturePage {
  readonly stored: readonly string[]
  readonly needed: readonly string[]
  readonly allowed: readonly string[]
}

export interface Differences {
  /** Stored pictures that no row knows. */
  readonly picturesWithoutRow: string[]
  /** What rows need and storage does not have. */
  readonly rowsWithoutPicture: string[]
}

/** Holds all keys in memory: some 400 MB for a database with a million garments. */
export async function comparePictures(pages: AsyncIterable<PicturePage>): Promise<Differences> {
  const [missing, known] = [new Set<string>(), new Set<string>()]
  const picturesWithoutRow: string[] = []
  for await (const { stored, needed, allowed } of pages) {
    for (const key of needed) missing.add(key)
    for (const key of allowed) known.add(key)
    for (const key of stored) if (!missing.delete(key) && !known.has(key)) picturesWithoutRow.push(key)
  }
  return { picturesWithoutRow, rowsWithoutPicture: [...missing] }
}
