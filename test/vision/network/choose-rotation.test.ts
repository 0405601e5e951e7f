import { describe, expect, it } from 'vitest'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { rotate } from '../../../src/vision/image/orientation.ts'
import { chooseRotation, rotationOf, turnPixels } from '../../../src/vision/network/choose-rotation.ts'
import { predictPicture } from '../../../src/vision/network/predict-picture.ts'

/** Log probabilities of a look that sees a picture turned by `turn` quarters, and doubts it by `doubt`. */
const look = (turn: number, doubt = 0.01) =>
  [0, 1, 2, 3].map((each) => Math.log(each === turn % 4 ? 1 - 3 * doubt : doubt))

describe('rotationOf', () => {
  it('turns a picture back if all four looks agree', () => {
    const rotations = [0, 1, 2, 3].map((turn) =>
      rotationOf([look(turn), look(turn + 1), look(turn + 2), look(turn + 3)]),
    )
    expect(rotations).toEqual([0, 270, 180, 90])
  })

  it('leaves a picture as it is if looks disagree or doubt', () => {
    expect(rotationOf([look(1), look(2), look(2), look(0)])).toBe(0)
    expect(rotationOf([look(1, 0.2), look(2, 0.2), look(3, 0.2), look(0, 0.2)])).toBe(0)
  })
})

describe('turnPixels', () => {
  it('turns clockwise', () => {
    const [red, green, blue, white] = [[9, 0, 0], [0, 9, 0], [0, 0, 9], [9, 9, 9]] as const // prettier-ignore
    expect([...turnPixels(Uint8Array.from([red, green, blue, white].flat()), 2)]).toEqual(
      [blue, red, white, green].flat(),
    )
  })
})

describe('chooseRotation', () => {
  const { picture } = makeFlatLay(5, { itemType: 'T-Shirt', colour: 'Red', pattern: 'Plain', width: 400, height: 500 })

  it('keeps an upright garment as it is', async () => {
    expect(await chooseRotation(picture, await predictPicture(picture))).toBe(0)
  })

  it('brings a garment upright that lies on its side', async () => {
    const onItsSide = rotate(picture, 90)
    expect(await chooseRotation(onItsSide, await predictPicture(onItsSide))).toBe(270)
  })

  it('never rotates a bag or a label', async () => {
    const onItsSide = rotate(picture, 90)
    const { heads } = await predictPicture(onItsSide)
    for (const other of [{ type: [['Bag', 1]] }, { label: [['Label', 1]] }] as const)
      expect(await chooseRotation(onItsSide, { heads: { ...heads, ...other } })).toBe(0)
  })
})
