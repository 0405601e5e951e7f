/** Prints how good the embedded tagger is: `npm run eval`, with `-- --json` for a last line that programs read. */
import { argv, stderr, stdout } from 'node:process'
import { describeFashionMnist, evaluateFashionMnist } from './fashion-mnist.ts'
import { formatFlatLays } from './format-flat-lays.ts'
import { evaluateFlatLays } from './flat-lays.ts'
import { evaluateSpeed } from './speed.ts'

const COUNT = 1024

const fashionMnist = await evaluateFashionMnist()
stdout.write(`Fashion-MNIST, 10,000 test pictures\n${describeFashionMnist(fashionMnist)}\n\n`)
const speed = await evaluateSpeed()
stdout.write(
  `Speed, 1200 x 1600 JPEG: decoding alone ${speed.decodeMs.toFixed(1)} ms, all of tagging ${speed.tagMs.toFixed(1)} ms, ${speed.tagOverDecode.toFixed(2)} times\n\n`,
)
const flatLays = await evaluateFlatLays(COUNT, (done) => {
  if (done % 128 === 0) stderr.write(`flat lay ${done} of ${COUNT}\n`)
})
stdout.write(`${formatFlatLays(flatLays)}\n`)
if (argv.includes('--json')) {
  const { top1, ece, highPrecision, weightsBytes, networkMs } = fashionMnist
  const { count, itemType, colourFirst, colourAny, pattern, iou, maeKnownScaleCm, maePriorScaleCm } = flatLays
  const line = {
    fashionMnist: { top1, ece, highPrecision, weightsBytes },
    flatLays: { count, itemType, colourFirst, colourAny, pattern, iou, maeKnownScaleCm, maePriorScaleCm },
    speed: { tagOverDecode: speed.tagOverDecode, networkMs },
  }
  stdout.write(`${JSON.stringify(line)}\n`)
}
