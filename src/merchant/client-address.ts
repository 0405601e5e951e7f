import type { Context } from 'hono'

/** An IPv6 client owns a whole /64, so its first four groups stand for it. */
export function addressGroup(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest)
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** Set by Cloudflare on every request that comes from outside; absent only in local development. */
export const clientAddress = (c: Pick<Context, 'req'>) => addressGroup(c.req.header('cf-connecting-ip') ?? 'local')
