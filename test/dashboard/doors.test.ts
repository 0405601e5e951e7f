import { expect, it } from 'vitest'
import { newMember, newTenant, password, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const origin = { Origin: 'http://service.test' }

const doorIn = (answer: Response) => /(?:^|, )door=(\w+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]

it('the door that was used last opens after signing in, but not to those who may not use it', async () => {
  const { merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  expect(doorIn(await raw('GET', '/dashboard/garments', session))).toBe(undefined)
  expect(doorIn(await raw('GET', '/dashboard/keys', session))).toBe('build')
  const cookie = `${session.Cookie}; door=build`
  expect(doorIn(await raw('GET', '/dashboard/usage', { Cookie: cookie }))).toBe(undefined)
  expect((await raw('GET', '/', { Cookie: cookie })).headers.get('location')).toBe('/dashboard/build')
  const signIn = async (next: Record<string, string> = {}) =>
    await raw(
      'POST',
      '/dashboard/sign-in',
      { ...origin, Cookie: 'door=build' },
      new URLSearchParams({ email: merchant.email, password, ...next }),
    )
  expect((await signIn()).headers.get('location')).toBe('/')
  expect((await signIn({ next: '/dashboard/team' })).headers.get('location')).toBe('/dashboard/team')
  expect(doorIn(await raw('GET', '/dashboard/garments', { Cookie: cookie }))).toBe('sell')
  const reviewer = await newMember(merchant.id, 'reviewer')
  const ofReviewer = await sessionOf(merchant.id, Date.now(), reviewer.id)
  const start = await raw('GET', '/', { Cookie: `${ofReviewer.Cookie}; door=build` })
  expect(start.headers.get('location')).toBe('/dashboard')
})
