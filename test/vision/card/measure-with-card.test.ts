import { describe, expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { noteSentences } from '../../../src/vision/scene.ts'
import { tagPicture } from '../../../src/vision/tag-picture.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import { mapOf } from '../../eval/card/camera.ts'
import { renderScene, type Scene } from '../../eval/card/render-scene.ts'
import { boards, evenLight, plainView } from './scene.ts'

const lay = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Burgundy', pattern: 'Plain', gender: "Men's" })
const cutOut = { picture: lay.picture, mask: lay.truth.mask, cmPerPixel: lay.truth.cmPerPixel }
const carpet = { ...boards, picture: { width: 2, height: 2, data: new Uint8ClampedArray(16).fill(190) } }

/** A T-shirt with the card beside it, from a tilted phone. */
function photograph(card: Scene['card'], tilt: number) {
  const view = { ...plainView, width: 720, height: 720, focal: 675, target: [16, 0] as const, distance: 125, tilt }
  const scene: Scene = {
    width: 720,
    height: 720,
    toPicture: mapOf({ ...view, direction: 80 }),
    floor: carpet,
    garment: { at: [0, 0], turn: 0, cutOut },
    card,
    light: evenLight,
  }
  return encodeJpeg(renderScene(scene, createRandom(5)), 85)
}

const beside = { at: [50, 8], turn: 12 } as const

describe('tagging with the printed card', () => {
  it('measures in real centimetres from a tilted phone, whatever the studio, and says so', async () => {
    const { tag, measurements, details } = await tagPicture(photograph(beside, 22), {
      attribute: { Gender: "Women's" },
      cmPerPixel: 0.5,
    })
    expect(tag).toMatchObject({ 'Item Type': 'T-Shirt', Colour: 'Burgundy' })
    expect(details).toMatchObject({ scale: 'card', shown: 'flat', notes: ['card'] })
    for (const name of ['Chest', 'Body Length', 'Hem'])
      expect(Math.abs(measurements[`${name} (cm)`]! - lay.truth.measurements[name]!), name).toBeLessThan(1.6)
  })

  it('keeps the estimate where the card cannot be used, and says why', async () => {
    const bend = ([x, y]: readonly [number, number]) => {
      const lift = Math.max(0, 1 - ((y - beside.at[1]) / 14) ** 2) * 3
      return [x * (1 - lift / 125), y * (1 - lift / 125)] as const
    }
    const { measurements, details } = await tagPicture(photograph({ ...beside, bend }, 0), {
      attribute: { Gender: "Men's" },
    })
    expect(details).toMatchObject({ scale: 'estimate', notes: ['estimate', 'card_bent'] })
    expect(noteSentences.card_bent).toContain('does not lie flat')
    expect(measurements['Chest (cm)']).toBeGreaterThan(40)
  })
})
