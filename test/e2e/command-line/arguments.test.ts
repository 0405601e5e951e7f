import { describe, expect, it } from 'vitest'
import { run } from './run-command.ts'

describe('garment-tagging', () => {
  it.each('sign-up sign-in sign-out upload import query correct delete export listen redeliver'.split(' '))(
    'prints the help of %s',
    async (command) => {
      const { code, stdout, stderr } = await run([command, '--help'])
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toContain(`Usage: garment-tagging ${command}`)
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
      expect((await run([])).stdout).toContain(`  ${command} `)
    },
  )

  it.each([
    [['nope'], 'There is no command nope.'],
    [['upload'], 'Give the URL of an image, or --csv FILE.'],
    [['upload', 'shirt.jpg'], 'shirt.jpg is not a URL.'],
    [['upload', 'http://x.test/1.jpg', '--attribute', 'Brand'], '--attribute must be NAME=VALUE'],
    [['upload', 'http://x.test/1.jpg', '--csv', 'x.csv'], '--csv goes without'],
    [['upload', 'http://x.test/1.jpg', '--format', 'xml'], '--format must be json or csv.'],
    [['upload', '--nope'], "Unknown option '--nope'"],
    [['upload', '--csv', 'none.csv'], 'There is no file none.csv.'],
    [['query'], 'Give the uuid'],
    [['export', '--status', 'done'], '--status must be one of'],
    [['correct', 'g'], 'Give --tag, --measurement or --attribute.'],
    [['correct', 'g', '--tag', 'Colour'], '--tag must be NAME=VALUE'],
    [['correct', 'g', '--measurement', 'Chest (cm)=wide'], '--measurement Chest (cm) must be a number'],
    [['delete'], 'Give the uuid'],
    [['redeliver'], 'Give the uuid of one garment, or --from and --to.'],
    [['redeliver', 'g', '--from', '2026-11-01'], 'Give the uuid of one garment, or --from and --to.'],
    [['import', 'garments.csv', 'more.csv'], 'Give the id of one import.'],
    [['import', 'i', '--pause', '--resume'], 'Give one of'],
    [['import', 'i', '--output', 'x.csv'], '--output and --format go with --wait.'],
    [['listen', '--port', 'x'], '--port must be a whole number.'],
    [['sign-in', '--email', 'a@example.com'], 'Give --url.'],
    [['sign-in', '--url', 'service', '--email', 'a@example.com'], '--url must be the address'],
    [['sign-in', '--url', 'http://localhost:1', '--email', 'a@example.com'], 'Give the password'],
  ])('exits with 2 and explains the problem of the arguments %j', async (args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)])
    expect(stderr).toContain('--help')
  })

  it.each([
    [{ GARMENT_TAGGING_URL: 'http://localhost:1' }, 'Set GARMENT_TAGGING_API_KEY and GARMENT_TAGGING_DOMAIN, too.'],
    [{ GARMENT_TAGGING_URL: 'http://localhost:1', GARMENT_TAGGING_API_KEY: 'k' }, 'Set GARMENT_TAGGING_DOMAIN, too.'],
  ])('names what is missing if only %j is set', async (env, message) => {
    const { code, stderr } = await run(['query', 'g'], env)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it.each([
    [{ GARMENT_TAGGING_URL: 'localhost:9341' }, 'GARMENT_TAGGING_URL must begin with https:// or http://'],
    [{ GARMENT_TAGGING_API_KEY: 'gt_…' }, 'GARMENT_TAGGING_API_KEY must be given as it was shown'],
  ])('names the variable that is wrong in %j, and sends nothing', async (wrong, message) => {
    const right = {
      GARMENT_TAGGING_URL: 'http://localhost:1',
      GARMENT_TAGGING_API_KEY: 'k',
      GARMENT_TAGGING_DOMAIN: 'd',
    }
    const { code, stderr } = await run(['query', 'g'], { ...right, ...wrong })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(stderr).not.toContain('Trying again')
  })

  // It took more than two minutes before there was a limit.
  it('gives up within a minute when nothing answers at the address', async () => {
    const env = { GARMENT_TAGGING_URL: 'http://localhost:1', GARMENT_TAGGING_API_KEY: 'k', GARMENT_TAGGING_DOMAIN: 'd' }
    const { code, stderr } = await run(['upload', 'http://x.test/1.jpg'], env)
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      expect.stringContaining('http://localhost:1 could not be reached'),
    ])
  })

  it('reports that the service cannot be reached', async () => {
    const env = { GARMENT_TAGGING_URL: 'http://localhost:1', GARMENT_TAGGING_API_KEY: 'k', GARMENT_TAGGING_DOMAIN: 'd' }
    const signIn = ['sign-in', '--url', 'http://localhost:1', '--email', 'a@example.com']
    const { code, stderr } = await run(signIn, { GARMENT_TAGGING_PASSWORD: 'x', ...env })
    expect([code, stderr]).toEqual([1, expect.stringContaining('http://localhost:1 could not be reached')])
  })
})
