/** Formats times in one time zone. Created once per request, because creating a formatter is slow. */
export interface Clock {
  readonly zone: string
  /** `21 Nov 2026, 14:03:05` */
  readonly text: (ms: number) => string
  /** `21 Nov 2026` */
  readonly date: (ms: number) => string
  /** `2026-11-21` */
  readonly day: (ms: number) => string
  /** The instant of a local time such as `2026-11-21T12:00Z`, or at which such a day begins, in ms since the epoch. */
  readonly startOf: (local: string) => number
}

export function createClock(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'medium' })
  // Few pages need it.
  let sortable: Intl.DateTimeFormat | undefined
  const localIso = (ms: number) => {
    sortable ??= new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    return sortable.format(ms).replace(' ', 'T')
  }
  const offsetAt = (ms: number) => Date.parse(`${localIso(ms)}Z`) - Math.floor(ms / 1000) * 1000
  return {
    zone,
    text: (ms) => format.format(ms),
    date: (ms) => format.format(ms).replace(/,.*/, ''),
    day: (ms) => localIso(ms).slice(0, 10),
    startOf(local) {
      const utc = Date.parse(local)
      // The second step corrects the offset where the clocks change that night.
      return utc - offsetAt(utc - offsetAt(utc))
    },
  }
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** `5 min`, `2 h`, `340 ms`: in the largest unit that gives at least 1. */
export function duration(ms: number): string {
  const [name, size] = units.find(([, unit]) => ms >= unit) ?? ['ms', 1]
  const count = ms / size
  return `${count < 10 && size === 1000 ? count.toFixed(1).replace(/\.0$/, '') : Math.floor(count)} ${name}`
}

/** `in 5 min`, `2 h ago`, `now`. */
export function fromNow(atMs: number, nowMs: number): string {
  const away = Math.abs(atMs - nowMs)
  if (away < 1000) return 'now'
  return atMs > nowMs ? `in ${duration(away)}` : `${duration(away)} ago`
}
