import { describe, expect, it } from 'vitest'
import { headerProblems } from '../../../src/webhooks/endpoints/endpoint-problems.ts'

describe('custom headers', () => {
  it.each(['Authorization', 'X-Api-Key', 'Cookie', 'X-Trace-ID', 'Accept', 'a', 'A'.repeat(64)])('may set %s', (name) =>
    expect(headerProblems({ [name]: 'value, with "printable" ASCII ~' })).toEqual([]),
  )

  it.each([
    ['Host', 'host', 'HOST'],
    [
      'Connection',
      'Keep-Alive',
      'Proxy-Authorization',
      'Proxy-Connection',
      'TE',
      'Trailer',
      'Transfer-Encoding',
      'Upgrade',
      'Expect',
    ],
    ['Content-Type', 'Content-Length', 'Content-Encoding', 'content-anything'],
    ['User-Agent'],
    ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via', 'CF-Connecting-IP', 'cf-ray', 'CDN-Loop'],
    ['True-Client-IP', 'X-Client-IP', 'Fastly-Client-IP', 'X-Original-Forwarded-For', 'X-Cluster-Client-IP'],
    ['HTTP2-Settings', 'Date', 'Set-Cookie'],
    ['webhook-id', 'Webhook-Signature', 'webhook-timestamp', 'X-Webhook-Signature', 'X-Webhook-Event', 'X-Delivery-ID'],
  ])('may not set %s and its like', (...names) => {
    for (const name of names)
      expect(headerProblems({ [name]: 'x' })).toEqual([`headers.${name}: is set by the service and cannot be replaced`])
  })

  it.each(['', 'with space', 'under_score', 'colon:', 'schlüssel', 'line\nbreak', 'A'.repeat(65)])(
    'may not be named %j',
    (name) => expect(headerProblems({ [name]: 'x' })).toHaveLength(1),
  )

  it.each(['line\r\nX-Injected: 1', 'nul\0', 'tab\t', 'grün', 'delete\x7f', 'x'.repeat(1025)])(
    'may not have the value %j',
    (value) => expect(headerProblems({ 'X-A': value })).toHaveLength(1),
  )

  it('may have values of 1,024 characters, and empty ones', () => {
    expect(headerProblems({ 'X-A': 'x'.repeat(1024), 'X-B': '' })).toEqual([])
  })

  it('are at most 20', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'x']))
    expect(headerProblems(many(20))).toEqual([])
    expect(headerProblems(many(21))).toEqual(['headers: must be at most 20'])
  })

  it('may not be given twice in different case', () => {
    expect(headerProblems({ 'X-Key': 'a', 'x-key': 'b' })).toEqual(['headers.x-key: is given twice'])
  })

  it('have long names cut in the problems', () => {
    const [ofName = '', ofValue = ''] = headerProblems({ ['A'.repeat(60_000)]: 'é' })
    expect([ofName.length, ofValue.length].every((length) => length < 150)).toBe(true)
    expect(ofName).toMatch(/^headers\.A{63}…: name must be/)
  })

  it('report all their problems', () => {
    expect(headerProblems({ Host: 'é', 'a b': 'x' })).toHaveLength(3)
  })
})
