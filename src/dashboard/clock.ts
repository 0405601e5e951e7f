/** Formats times in one time zone. Created once per request, because creating a formatter is slow. */
export interface Clock {
  readonly zone: string
  /** `21 Nov 2026, 14:03:05` */
  readonly text: (ms: number) => string
  /** `21 Nov 2026` */
  readonly date: (ms: number) => string
  /** `2026-11-21` */
  readonly day: (ms: number) => string
  /** Converts a local time such as `2026-11-21T12:00Z`, or the start of a local day, to ms since the epoch. */
  readonly startOf: (local: string) => number
}

export function createClock(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'medium' })
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
      // The second step corrects the offset if the clocks change on that day.
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

/** Formats a duration in the largest unit that gives at least 1, such as `5 min`, `2 h` or `340 ms`. */
export function duration(ms: number): string {
  const [name, size] = units.find(([, unit]) => ms >= unit) ?? ['ms', 1]
  const count = ms / size
  return `${count < 10 && size === 1000 ? count.toFixed(1).replace(/\.0$/, '') : Math.floor(count)} ${name}`
}

/** Formats a time relative to now, such as `in 5 min`, `2 h ago` or `now`. */
export function fromNow(atMs: number, nowMs: number): string {
  const away = Math.abs(atMs - nowMs)
  if (away < 1000) return 'now'
  return atMs > nowMs ? `in ${duration(away)}` : `${duration(away)} ago`
}
