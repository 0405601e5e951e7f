/** How many of `count` reviewed values were confirmed. */
export interface Stood {
  readonly stood: number
  readonly count: number
}

/** The quantile of the normal distribution for 95 %. */
const z = 1.959964

/** The share that was confirmed with its 95 % Wilson score interval, all 0 to 1; null for none. */
export function shareStood({ stood, count }: Stood) {
  if (count === 0) return null
  const share = stood / count
  const scale = 1 + z ** 2 / count
  const centre = (share + z ** 2 / (2 * count)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))
  return { share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}
