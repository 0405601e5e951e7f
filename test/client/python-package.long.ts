import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

// Tests the Python package as pip builds and installs it, without a network. `.ci/run` installs what it needs.

const python = '/usr/bin/python3'
const project = mkdtempSync(join(tmpdir(), 'garment-tagging-python-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const options = { cwd: project, encoding: 'utf8', env: { ...process.env, ...env } } as const
  const { status, stdout, stderr } = spawnSync(python, args, options)
  return { status, stdout, stderr }
}

const usage = `from garment_tagging import Garment, GarmentTagging, GarmentTaggingError

client = GarmentTagging("http://127.0.0.1:1", api_key="k", domain="d", max_retries=0)
try:
    garment: Garment = client.upload_and_wait("1", "https://example.com/1.jpg", {"Brand": "Ann"})
    chest: float = (garment["measurements"] or {})["Chest (cm)"]
except GarmentTaggingError as error:
    print(error.code, error.status)
`
const wrongUsage = `from garment_tagging import GarmentTagging

client = GarmentTagging("http://127.0.0.1:1", api_key="k", domain="d")
client.upload("1")
status: int = client.query("1")["status"]
`

it('the Python package installs into an empty project, with its licence, and brings its types', () => {
  // Builds a copy, because the build writes into the source folder.
  cpSync('src/client/python', join(project, 'source'), { recursive: true })
  const offline = ['--no-index', '--no-deps', '--no-build-isolation', '--quiet', '--root-user-action=ignore']
  expect(run(['-m', 'pip', 'install', ...offline, '--target', 'site', './source'])).toMatchObject({ status: 0 })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const info = join(project, 'site', `garment_tagging-${version}.dist-info`)
  expect(readdirSync(info)).toEqual(expect.arrayContaining(['LICENSE', 'METADATA']))
  expect(readFileSync(join(info, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'))
  expect(existsSync(join(project, 'site/garment_tagging/py.typed'))).toBe(true)

  rmSync(join(project, 'source'), { recursive: true })
  writeFileSync(join(project, 'usage.py'), usage)
  writeFileSync(join(project, 'wrong.py'), wrongUsage)
  expect(run(['usage.py'], { PYTHONPATH: 'site' })).toMatchObject({ status: 0, stdout: 'network 0\n' })
  const types = ['-m', 'mypy', '--strict', '--no-warn-return-any', '--no-error-summary', '--python-executable', python]
  expect(run([...types, 'usage.py'], { MYPYPATH: 'site' })).toMatchObject({ status: 0, stdout: '' })
  const { status, stdout } = run([...types, 'wrong.py'], { MYPYPATH: 'site' })
  expect([status, stdout]).toEqual([
    1,
    expect.stringMatching(/Missing positional argument "image_url"[^]*Incompatible types/),
  ])
})
