import { expect, it, vi } from 'vitest'
import { newTenant, raw } from '../../service.ts'

it('of requests above a limit one line of the log stands for a hundred', async () => {
  const { auth } = await newTenant()
  const logged: Record<string, unknown>[] = []
  const spy = vi.spyOn(console, 'info').mockImplementation((line: string) => {
    if (line.includes('"event":"request"')) logged.push(JSON.parse(line) as Record<string, unknown>)
  })
  const limited = new Set<string | null>()
  for (let i = 0; i < 206; i++) {
    const { status, headers } = await raw('GET', '/garment-tagging/query?uuid=none', auth)
    if (status === 429) limited.add(headers.get('x-request-id'))
  }
  spy.mockRestore()
  expect(limited.size).toBe(200)
  const lines = logged.filter(({ request_id }) => limited.has(String(request_id)))
  expect(lines).toMatchObject([{ stands_for: 100 }, { stands_for: 100 }])
})
