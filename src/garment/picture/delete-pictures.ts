/** R2 deletes at most 1,000 objects at once. */
const maxKeys = 1000

/** Deletes at most `limit` objects (R2's most for one call is 1,000) of those below a prefix. Returns how many. */
export async function deleteBelow(pictures: R2Bucket, prefix: string, limit: number): Promise<number> {
  const { objects } = await pictures.list({ prefix, limit })
  if (objects.length > 0) await pictures.delete(objects.map(({ key }) => key))
  return objects.length
}

/** Deletes objects by their keys, there or not. */
export async function deletePictures(pictures: R2Bucket, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += maxKeys) await pictures.delete(keys.slice(from, from + maxKeys))
}
