import { describe, expect, it } from 'vitest'
import { parseSettings } from '../src/settings.ts'

const good = { JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: btoa('x'.repeat(32)) }

describe('settings', () => {
  it('have defaults for all but the secrets', () => {
    expect(parseSettings(good)).toMatchObject({
      RATE_LIMIT_PER_MINUTE: 6,
      ALLOW_LOCAL_TARGETS: false,
      WEBHOOK_RETRY_DELAYS: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000],
    })
  })

  it.each([
    [{ JWT_SECRET: undefined }, 'JWT_SECRET is missing'],
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET must have at least 32 characters'],
    [{ ENCRYPTION_KEY: undefined }, 'ENCRYPTION_KEY is missing'],
    [{ ENCRYPTION_KEY: 'abc' }, 'ENCRYPTION_KEY must be 32 bytes in base64'],
    [{ RATE_LIMIT_PER_MINUTE: '0' }, 'RATE_LIMIT_PER_MINUTE'],
    [{ RATE_LIMIT_PER_MINUTE: 'six' }, 'RATE_LIMIT_PER_MINUTE must be a whole number'],
    [{ PUBLIC_URL: 'tags.example' }, 'PUBLIC_URL must be an http or https URL'],
    [{ ALLOW_LOCAL_TARGETS: 'yes' }, 'ALLOW_LOCAL_TARGETS must be true or false'],
    [{ ENCRYPTION_KEYS_OLD: 'abc' }, 'ENCRYPTION_KEYS_OLD must be former values of ENCRYPTION_KEY'],
    // Durable Objects can be there, but no database.
    [{ HOME_REGION: 'sam' }, 'HOME_REGION must be one of wnam, enam, weur, eeur, apac, oc'],
    [{ OWN_HOSTS: 'tags.example:8443' }, 'OWN_HOSTS must be host names without a port'],
    [
      { ALLOW_LOCAL_TARGETS: 'true', PUBLIC_URL: 'https://tags.example' },
      'ALLOW_LOCAL_TARGETS must not be true where PUBLIC_URL is https',
    ],
    [{ WEBHOOK_RETRY_DELAYS: '1,2,3' }, 'WEBHOOK_RETRY_DELAYS must be 8 numbers'],
    [{ WEBHOOK_RETRY_DELAYS: '1,2,3,4,5,6,7,x' }, 'WEBHOOK_RETRY_DELAYS must be 8 numbers'],
    [{ TAGGING_RETRY_DELAYS: '1,2,3,-4' }, 'TAGGING_RETRY_DELAYS must be 4 numbers'],
  ])('with %j stop the start with the message: %s', (change, sentence) => {
    expect(() => parseSettings({ ...good, ...change })).toThrow(sentence)
  })

  it('that are invalid are all reported at once', () => {
    expect(() => parseSettings({})).toThrow(/JWT_SECRET.*ENCRYPTION_KEY/)
  })

  it('that are lists are separated by spaces or commas', () => {
    const [one, other] = [btoa('y'.repeat(32)), btoa('z'.repeat(32))]
    const settings = parseSettings({
      ...good,
      ENCRYPTION_KEYS_OLD: `${one} ${other}`,
      OWN_HOSTS: 'a.example, B.example',
    })
    expect(settings.ENCRYPTION_KEYS_OLD).toEqual([one, other])
    expect(settings.OWN_HOSTS).toEqual(['a.example', 'b.example'])
    expect(parseSettings(good)).toMatchObject({ ENCRYPTION_KEYS_OLD: [], OWN_HOSTS: [] })
  })

  it('drop the trailing slash of PUBLIC_URL', () => {
    expect(parseSettings({ ...good, PUBLIC_URL: 'https://tags.example/' }).PUBLIC_URL).toBe('https://tags.example')
  })
})
