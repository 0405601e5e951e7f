import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, it } from 'vitest'
import { allSources } from '../../../docs/site/pages.ts'
import { createMerchant } from '../../support/api-client.ts'
import { useHttpHost } from '../support/use-http-host.ts'
import { furtherLanguages, runProgram } from './programs.ts'
import { readBlocks } from './read-blocks.ts'

// Runs each example by itself, in the languages that `.ci/run` installs.

const dir = mkdtempSync(join(tmpdir(), 'garment-tagging-examples-'))
afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

const url = inject('sharedServiceUrl')
const host = await useHttpHost()
const { domain, apiKey } = await createMerchant(url, 'Ann')
const env = { S: url, KEY: apiKey, SECRET: `whsec_${btoa('a secret of thirty-two characters')}` }

const blocks = allSources
  .flatMap(readBlocks)
  .filter(({ language, notRun }) => notRun === null && furtherLanguages.includes(language))

it.each(blocks)('$place ($language) works', async ({ language, code }) => {
  const localized = code
    .replaceAll('https://example.com/hooks', `${host.origin}/to/hooks`)
    .replaceAll('ann.example', domain)
  expect(await runProgram(language, localized, dir, env)).not.toBe('')
})

it('PHP and Go are among them', () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(furtherLanguages))
})
