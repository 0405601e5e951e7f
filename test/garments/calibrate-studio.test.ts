import { describe, expect, it } from 'vitest'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { readStudioScale } from '../../src/vision/read-studio-scale.ts'
import { listStudios } from '../../src/garments/studios.ts'
import { calibrateStudio } from '../../src/tagging/calibrate-studio.ts'
import { createIsolateBudget, isolateLimits } from '../../src/platform/limits/isolate-budget.ts'
import { createRandom } from '../../training/flat-lay/random.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { mapOf } from '../eval/card/camera.ts'
import { renderScene } from '../eval/card/render-scene.ts'
import { databaseOf, newTenant, raw } from '../service.ts'
import { boards, evenLight, plainView } from '../vision/card/scene.ts'

const trueScale = plainView.distance / plainView.focal

/** The card on boards. */
function photograph(changes: Partial<typeof plainView> = {}, hasCard = true): Uint8Array<ArrayBuffer> {
  const view = { ...plainView, ...changes }
  const scene = {
    width: view.width,
    height: view.height,
    toPicture: mapOf(view),
    floor: boards,
    card: hasCard ? { at: [3, -2] as const, turn: 25 } : undefined,
    light: evenLight,
  }
  return new Uint8Array(encodeJpeg(renderScene(scene, createRandom(3)), 88))
}

const straight = photograph()

describe('the scale of a studio, read from a photograph of the card', () => {
  it('is that of the original, whatever the size of the copy that is looked at', async () => {
    const found = await readStudioScale(straight)
    expect('cmPerPixel' in found && Math.abs(found.cmPerPixel / trueScale - 1)).toBeLessThan(0.006)
    const large = await readStudioScale(photograph({ width: 1400 }))
    expect('cmPerPixel' in large && Math.abs(large.cmPerPixel / trueScale - 1)).toBeLessThan(0.006)
  })

  it('is not read without the card, or from a tilted camera', async () => {
    expect(await readStudioScale(photograph({}, false))).toEqual({ problem: expect.stringMatching(/card is not in/) })
    expect(await readStudioScale(photograph({ tilt: 15 }))).toEqual({
      problem: expect.stringMatching(/^The camera does not look straight at the card: lengths differ by \d+ %/),
    })
  })
})

describe('a photograph that is announced and not sent', () => {
  const clock = { now: () => 0, sleep: async () => await Promise.resolve() }

  it('takes memory for what has arrived only, and is refused where there is none for more', async () => {
    const budget = createIsolateBudget(isolateLimits)
    const size = isolateLimits.maxBytes
    let send: (bytes: number) => void = () => {}
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (send = (bytes) => controller.enqueue(new Uint8Array(bytes))),
    })
    const calibrated = calibrateStudio({ ...clock, budget }, 'slow', { size, body })
    send(1000)
    await scheduler.wait(0)
    const other = budget.enter('other', 0)
    expect(other.reserve(size - 2000)).toBe(true)
    send(2000)
    await expect(calibrated).rejects.toMatchObject({ status: 503 })
    expect(other.reserve(2000)).toBe(true)
  })
})

describe('a photograph that arrives too slowly', () => {
  it('is refused, read no further, and gives its memory back', async () => {
    const budget = createIsolateBudget(isolateLimits)
    let cancelled: unknown
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: async (reason) => {
        cancelled = reason
        // As of a sender that no longer answers.
        await new Promise(() => {})
      },
    })
    const photographed = { size: isolateLimits.maxBytes, body }
    const sleep = async () => await Promise.resolve()
    await expect(calibrateStudio({ now: () => 0, sleep, budget }, 'slow', photographed, 20)).rejects.toMatchObject({
      status: 400,
      problems: ['image: it did not arrive within 0.02 s; send a smaller one, or use a faster connection'],
    })
    expect(cancelled).toMatchObject({ status: 400 })
    expect(budget.enter('other', 0).reserve(isolateLimits.maxBytes)).toBe(true)
  })
})

describe('POST /dashboard/tenant/studios/photograph', () => {
  async function send(studio: string, image: Uint8Array<ArrayBuffer>) {
    const { tenantId, merchant } = await newTenant()
    // As browsers write it.
    const part = (disposition: string) => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n`
    const body = new Blob([
      `${part('name="studio"')}\r\n${studio}\r\n`,
      `${part('name="image"; filename="card.jpg"')}Content-Type: image/jpeg\r\n\r\n`,
      image,
      '\r\n--b--\r\n',
    ])
    const headers = {
      ...(await sessionOf(merchant.id)),
      Origin: 'http://service.test',
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': String(body.size),
    }
    const response = await raw('POST', '/dashboard/tenant/studios/photograph', headers, await body.arrayBuffer())
    const text = await response.text()
    return { response, text, stored: await listStudios(databaseOf(tenantId), tenantId) }
  }

  it('stores the studio', async () => {
    const { response, stored } = await send(' North ', straight)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/tenant?done=studio-saved'])
    expect(stored).toEqual([{ name: 'North', cm_per_pixel: expect.closeTo(trueScale, 2) }])
  })

  it.each([
    ['North', photograph({}, false), 'The printed card is not in the image'],
    ['', straight, 'must not be empty'],
    ['North', new Uint8Array(9), 'not a JPEG, PNG or WebP file'],
    ['North', new Uint8Array(0), 'The image is empty'],
  ])('names what is wrong of %j', async (studio, image, problem) => {
    const { response, text, stored } = await send(studio, image)
    expect([response.status, stored]).toEqual([400, []])
    expect(text).toContain(problem)
  })
})
