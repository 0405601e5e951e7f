/** Storage deletes at most 1,000 objects at once. */
const maxKeys = 1000

/** Deletes objects by their keys, there or not. */
export async function deletePictures(pictures: R2Bucket, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += maxKeys) await pictures.delete(keys.slice(from, from + maxKeys))
}
