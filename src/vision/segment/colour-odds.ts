import type { Picture } from '../picture.ts'

/** Bins on an axis of the colour cube. */
const binsPerChannel = 24

/** Beyond these the network's map is sure enough to learn the colours of cloth and background from it. */
const surelyCloth = 0.9
const surelyBackground = 0.1

/** Fewer sure pixels teach no colours. */
const minPixels = 50

/** Density that a colour never seen is given. */
const unseen = 2e-5

/** No colour alone counts for more than this, in units of log odds. */
const maxLogOdds = 3

/**
 * For each pixel how much its colour speaks for cloth: the log ratio of two colour histograms, smoothed over
 * neighbouring bins, of what is surely cloth and surely background in this very picture. `undefined` where either is
 * too small.
 */
export function colourOdds({ data }: Picture, probabilities: Float32Array): Float32Array | undefined {
  const bins = new Uint16Array(probabilities.length)
  const cloth = new Float32Array(binsPerChannel ** 3)
  const background = new Float32Array(binsPerChannel ** 3)
  let clothCount = 0
  let backgroundCount = 0
  for (let index = 0; index < bins.length; index++) {
    const bin = binOf(data, index * 4)
    bins[index] = bin
    if (probabilities[index]! > surelyCloth) {
      cloth[bin]!++
      clothCount++
    } else if (probabilities[index]! < surelyBackground) {
      background[bin]!++
      backgroundCount++
    }
  }
  if (clothCount < minPixels || backgroundCount < minPixels) return undefined
  smooth(cloth)
  smooth(background)
  const ratios = cloth.map((value, bin) => {
    const ratio = Math.log((value / clothCount + unseen) / (background[bin]! / backgroundCount + unseen))
    return Math.max(-maxLogOdds, Math.min(maxLogOdds, ratio))
  })
  const odds = new Float32Array(bins.length)
  for (let index = 0; index < odds.length; index++) odds[index] = ratios[bins[index]!]!
  return odds
}

function binOf(data: Uint8ClampedArray, at: number): number {
  return (
    (((data[at]! * binsPerChannel) >> 8) * binsPerChannel + ((data[at + 1]! * binsPerChannel) >> 8)) * binsPerChannel +
    ((data[at + 2]! * binsPerChannel) >> 8)
  )
}

/** A quarter to each neighbour along each axis in turn; in place. */
function smooth(histogram: Float32Array) {
  for (const stride of [1, binsPerChannel, binsPerChannel * binsPerChannel]) {
    const before = histogram.slice()
    for (let bin = 0; bin < histogram.length; bin++) {
      const place = Math.floor(bin / stride) % binsPerChannel
      const lower = place > 0 ? before[bin - stride]! : 0
      const upper = place < binsPerChannel - 1 ? before[bin + stride]! : 0
      histogram[bin] = 0.5 * before[bin]! + 0.25 * (lower + upper)
    }
  }
}
