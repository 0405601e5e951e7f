import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { allSources } from '../../../docs/site/pages.ts'
import { useHttpHost } from '../support/use-http-host.ts'
import { furtherLanguages, isProgram, runProgram } from './programs.ts'
import { readBlocks, type Block } from './read-blocks.ts'
import { openShell, type Shell } from './shell.ts'

// Runs every code block that a developer would paste, exactly as printed and in the order of the documentation. Only
// the URLs of the service and of receivers are replaced.

/** A developer's project, with the packed client installed. */
const dir = mkdtempSync(join(tmpdir(), 'garment-tagging-examples-'))
const maxRequests = 6

const serviceUrl = inject('sharedServiceUrl')
const host = await useHttpHost()

beforeAll(() => {
  const tarball = inject('clientTarball')
  copyFileSync(tarball, join(dir, basename(tarball)))
  copyFileSync('src/client/python/garment_tagging/__init__.py', join(dir, 'garment_tagging.py'))
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: dir })
})

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

/** Simulates a reader who starts without an account and works through the pages in order. */
function reader(name: string) {
  let shell: Shell

  beforeAll(() => {
    shell = openShell(dir, {
      GARMENT_TAGGING_PASSWORD: 'a long password',
      GARMENT_TAGGING_CONFIG: join(dir, `${name}.json`),
      npm_config_offline: 'true',
    })
  })

  afterAll(() => shell.close())

  const localized = (code: string) =>
    code
      .replaceAll(/http:\/\/localhost:8787|https:\/\/tagging\.example\.com/g, serviceUrl)
      .replaceAll(/https:\/\/(search\.)?example\.com\/hooks/g, `${host.origin}/to/hooks`)

  const answers: Answer[] = []

  /** Runs a block. Returns the service's failure responses, and throws if a program fails. */
  async function run({ language, code }: Block): Promise<object[]> {
    if (language === 'sh') {
      const last = (await shell.run(localized(code))).map((answer) => JSON.parse(answer) as Answer)
      answers.push(...last)
      return last.filter(({ status }) => !status)
    }
    const [url, key, secret] = [await shell.read('S'), await shell.read('KEY'), await shell.read('SECRET')]
    const env = { S: url, KEY: key, SECRET: secret, GARMENT_TAGGING_API_KEY: key }
    const isHandler = /^export default /m.test(code)
    const output = await (isHandler ? callHandler : runProgram)(language, localized(code), dir, env)
    return output === '' ? [{ message: 'It writes nothing.' }] : []
  }

  return { run, answers }
}

interface Answer {
  readonly status: boolean
  readonly data: object
}

/** True for a JSON block that shows a garment's result. */
const isResult = ({ language, code }: Block) =>
  language === 'json' && /"uuid"/.test(code) && /"measurements": \{/.test(code)

/** Sends a webhook to a block that exports a receiver. */
async function callHandler(...[language, code, cwd, env]: Parameters<typeof runProgram>): Promise<string> {
  const secret = `whsec_${btoa('a secret of thirty-two characters')}`
  const body = JSON.stringify({ event: 'webhook.test', timestamp: new Date().toISOString() })
  const now = new Date()
  const headers = {
    'webhook-id': 'd1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('d1', now, body),
  }
  writeFileSync(join(cwd, 'receiver.mjs'), code)
  const call = `import receiver from './receiver.mjs'
    const request = new Request('http://receiver.test/', ${JSON.stringify({ method: 'POST', headers })})
    const [body, secret] = ${JSON.stringify([body, secret])}
    const genuine = new Request(request, { body })
    const { status } = await receiver.fetch(genuine, { WEBHOOK_SECRET: secret })
    const refused = await receiver.fetch(new Request(request, { body: '{}' }), { WEBHOOK_SECRET: secret })
      .catch(({ code }) => code)
    if (status !== 204 || refused !== 'webhook_not_genuine') throw new Error('It answers ' + status + ', ' + refused)
    console.log(status)`
  return await runProgram(language, call, cwd, env)
}

const markdown = (paths: readonly string[]) => paths.flatMap(readBlocks)

const walks = [
  { pages: 'README', blocks: markdown(['README.md']) },
  { pages: 'guides', blocks: markdown(allSources.filter((path) => /^(docs\/(?!operations)|src\/client)/.test(path))) },
]

it('the examples that are run include the shell, JavaScript and Python', () => {
  const run = walks.flatMap(({ blocks }) => blocks).filter(isRun)
  expect(run.map(({ language }) => language)).toEqual(expect.arrayContaining(['sh', 'js', 'python']))
})

/** True for blocks without a `not run` comment, in languages that every development machine has. */
const isRun = ({ language, notRun }: Block) =>
  notRun === null && (language === 'sh' || (isProgram(language) && !furtherLanguages.includes(language)))

it.each(walks.flatMap(({ blocks }) => blocks).filter(({ notRun }) => notRun === null))(
  '$place ($language) is in a language that can be run, or an answer in JSON',
  ({ language, code }) => {
    const isAnswer = language === 'json' && typeof JSON.parse(code) === 'object'
    expect(isAnswer || language === 'sh' || isProgram(language)).toBe(true)
  },
)

describe.each(walks)('every example of the $pages', ({ pages, blocks }) => {
  const { run, answers } = reader(pages)

  it.each(blocks.filter(isRun))('$place ($language) works', async (block) => {
    expect(await run(block)).toEqual([])
  })

  it.each(blocks.filter(isResult))('$place shows a result as the service gave it', ({ code }) => {
    const printed = JSON.parse(code) as { uuid: string }
    const complete = answers.filter(
      ({ data }) => 'uuid' in data && data.uuid === printed.uuid && 'complete' in data && data.complete,
    )
    expect(complete[0]?.data).toMatchObject(printed)
  })

  it('stays within the requests that a tenant has in a minute, on each page', () => {
    const pagesOf = Map.groupBy(
      blocks.filter(({ language }) => language === 'sh'),
      ({ place }) => place.split(':')[0],
    )
    for (const [page, ofPage] of pagesOf) {
      const calls = ofPage.flatMap(({ code }) => code.match(/\/garment-tagging\//g) ?? [])
      expect([page, calls.length <= maxRequests]).toEqual([page, true])
    }
  })
})
