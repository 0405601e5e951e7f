import { expect, it, vi } from 'vitest'
import { hashPassword, withHashSlot } from '../../src/accounts/password.ts'

/** The slot is shared with the sign-ins of other test files, which take long on a busy machine. */
const patienceMs = 25_000

it('password hashes run one at a time', async () => {
  let running = 0
  let most = 0
  const hash = async () => {
    most = Math.max(most, ++running)
    await scheduler.wait(10)
    running--
  }
  await Promise.all(Array.from({ length: 9 }, () => withHashSlot('a', hash, patienceMs)))
  expect([most, running]).toEqual([1, 0])
})

it('a password hash that fails frees its slot', async () => {
  const fail = async () => await Promise.reject(new Error('no memory'))
  for (let i = 0; i < 3; i++) await expect(withHashSlot('a', fail, patienceMs)).rejects.toThrow('no memory')
  expect(await withHashSlot('a', async () => await Promise.resolve('done'), patienceMs)).toBe('done')
})

it('a cancelled invocation keeps its hash slot for 2 seconds, not for ever', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const cancelled = async () => await new Promise<never>(() => {})
    void withHashSlot('a', cancelled)
    let isDone = false
    const waiting = withHashSlot('a', async () => await Promise.resolve((isDone = true)))
    await scheduler.wait(60)
    expect(isDone).toBe(false)
    vi.setSystemTime(Date.now() + 2000)
    await waiting
    expect(isDone).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

it('a request that has waited too long for a hash slot gets 503 with Retry-After', async () => {
  const busy = withHashSlot('a', async () => await scheduler.wait(300))
  const refused = { status: 503, headers: { 'Retry-After': '5' } }
  await expect(withHashSlot('a', async () => await Promise.resolve(), 50)).rejects.toMatchObject(refused)
  await busy
})

it('other requests get their turn between the hashes of three sign-ins', async () => {
  let turns = 0
  let isDone = false
  const others = (async () => {
    while (!isDone) {
      await scheduler.wait(1)
      turns++
    }
  })()
  await Promise.all(Array.from({ length: 3 }, () => hashPassword({ password: 'a long password', caller: 'a' })))
  isDone = true
  await others
  // Without the pause, hash follows hash before any timer runs.
  expect(turns).toBeGreaterThanOrEqual(3)
})
