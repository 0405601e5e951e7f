import type { Settings } from '../settings.ts'

/** Pictures of the project's own making, to try the service with: static files below `/samples/`. */
export const samplePictures = ['t-shirt.jpg', 'shirt.jpg', 'dress.jpg', 'trousers.jpg'] as const

interface OwnAddresses {
  readonly settings: Pick<Settings, 'OWN_HOSTS' | 'PUBLIC_URL'>
  /** Where the service was called. */
  readonly ownOrigin: string
}

/** The path of a sample picture, where `url` is its address in this service; else null. */
export function samplePath(url: string, { settings, ownOrigin }: OwnAddresses): string | null {
  // `URL.canParse` accepts very long hosts for which `new URL` throws.
  const parsed = URL.parse(url)
  if (parsed === null) return null
  const { host, pathname, href, origin } = parsed
  const own = [ownOrigin, settings.PUBLIC_URL].flatMap((each) =>
    each === undefined ? [] : (URL.parse(each)?.host ?? []),
  )
  const isOwn = own.includes(host) || settings.OWN_HOSTS.includes(host)
  const isSample = samplePictures.some((name) => href === `${origin}/samples/${name}`)
  return isOwn && isSample ? pathname : null
}
