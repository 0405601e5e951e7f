/** Lints the OpenAPI document by Redocly's strict rules. Run by `npm run check`. */
import { createConfig, formatProblems, lintFromString } from '@redocly/openapi-core'
import process from 'node:process'
import { loadOpenApi } from '../../docs/site/load-api.ts'

const config = await createConfig({ extends: ['recommended-strict'], rules: { 'operation-tag-defined': 'error' } })
const source = JSON.stringify(await loadOpenApi('https://tagging.test'), null, 2)
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
if (problems.length > 0)
  formatProblems(problems, {
    format: 'stylish',
    totals: { errors: problems.length, warnings: 0, ignored: 0 },
    version: '',
  })
process.exitCode = problems.length === 0 ? 0 : 1
