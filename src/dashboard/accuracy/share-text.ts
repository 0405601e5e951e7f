import { formatCount } from '../../count.ts'
import { shareStood, type Stood } from '../../review/wilson.ts'

const percent = (share: number) => Math.round(share * 100)

/** `92 % (85 to 96) of 120`, or a dash for none. */
export function shareText(stood: Stood): string {
  const share = shareStood(stood)
  if (share === null) return '–'
  const interval = `${percent(share.low)} to ${percent(share.high)}`
  return `${percent(share.share)} % (${interval}) of ${formatCount(stood.count)}`
}
