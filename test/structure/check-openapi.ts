/**
 * Lints the OpenAPI document with Redocly's strict rules, and finds unused failure codes. Part of `npm run check`.
 */
import { createConfig, formatProblems, lintFromString } from '@redocly/openapi-core'
import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { loadOpenApi } from '../../docs/site/load-api.ts'
import { errorCodes } from '../../src/platform/http/errors.ts'

const config = await createConfig({ extends: ['recommended-strict'], rules: { 'operation-tag-defined': 'error' } })
const source = JSON.stringify(await loadOpenApi('https://tagging.test'), null, 2)
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
if (problems.length > 0)
  formatProblems(problems, {
    format: 'stylish',
    totals: { errors: problems.length, warnings: 0, ignored: 0 },
    version: '',
  })
const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'))
const unused = Object.keys(errorCodes).filter(
  (code) => !sources.some((source) => new RegExp(`new ApiError\\(\\s*'${code}'`).test(source)),
)
for (const code of unused) console.error(`No failure has the code ${code} of src/platform/http/errors.ts`)
process.exitCode = problems.length + unused.length === 0 ? 0 : 1
