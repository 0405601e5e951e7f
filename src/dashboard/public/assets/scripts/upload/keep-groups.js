/* Keeps chosen photographs and their groups in this browser until they are sent, so that a closed tab loses nothing. */

const name = 'upload'

let opened = null

/** Opens the database. Returns null in browsers that allow none, such as some private windows. */
function open() {
  opened ??= new Promise((resolve) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('pictures')
      request.result.createObjectStore('groups')
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => resolve(null))
  }).catch(() => null)
  return opened
}

/** Runs `use` in one transaction. Without space, the photographs are just not kept. */
async function change(use) {
  const database = await open()
  if (database === null) return null
  return await new Promise((resolve) => {
    const transaction = database.transaction(['pictures', 'groups'], 'readwrite')
    const result = use(transaction.objectStore('pictures'), transaction.objectStore('groups'))
    transaction.addEventListener('complete', () => resolve(result?.result ?? result ?? null))
    transaction.addEventListener('abort', () => resolve(null))
  }).catch(() => null)
}

/** Stores new pictures by their ids. */
export const keepPictures = async (pictures) =>
  await change((store) => {
    for (const { id, file, takenAt, preview, code } of pictures) store.put({ file, takenAt, preview, code }, id)
  })

/** Stores the groups and removes pictures that no group has any more. */
export const keepGroups = async (owner, groups) =>
  await change((pictures, store) => {
    store.put({ owner, groups }, 'groups')
    const kept = new Set(groups.flatMap((group) => group.ids))
    const keys = pictures.getAllKeys()
    keys.addEventListener('success', () => {
      for (const key of keys.result) if (!kept.has(key)) pictures.delete(key)
    })
  })

/** Returns the kept groups of this shop with their pictures. Deletes those of another shop. */
export async function readGroups(owner) {
  const kept = await change((_, store) => store.get('groups'))
  if (kept === null) return []
  if (kept.owner !== owner) {
    await change((pictures, store) => {
      pictures.clear()
      store.clear()
    })
    return []
  }
  const groups = []
  for (const { ids, ...group } of kept.groups) {
    const pictures = await Promise.all(
      ids.map(async (id) => {
        const picture = await change((store) => store.get(id))
        return picture === null ? null : { ...picture, id }
      }),
    )
    const found = pictures.filter((picture) => picture !== null)
    if (found.length > 0) groups.push({ ...group, pictures: found })
  }
  return groups
}
