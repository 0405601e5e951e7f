import { join } from 'node:path'
import { createTestHarness } from 'wrangler'

export type Networks = 'shipped' | 'held-out'

const publicFolder = join(import.meta.dirname, '../../src/dashboard/public')

/** Networks that never learned from a reported photograph. The folder has the same files as `src/vision/network`. */
const heldOutFolder = join(import.meta.dirname, 'held-out')

const heldOutFiles = Object.fromEntries(
  ['network.json', 'weights.json', 'calibration.json'].map((name) => [`./${name}`, join(heldOutFolder, name)]),
)

/**
 * Bundles a Worker as a deploy would, with `vars` and the static files as its only bindings, and starts it in
 * workerd, on loopback only.
 * Close it when done. A Worker's clock stands still while it computes: time it from outside.
 */
export async function startWorker(
  entry: string,
  { vars = {}, networks = 'shipped' }: { vars?: Readonly<Record<string, string>>; networks?: Networks } = {},
) {
  const server = createTestHarness({
    root: import.meta.dirname,
    workers: [
      {
        config: {
          name: 'garment-tagging-eval',
          main: entry,
          compatibility_date: '2026-10-15',
          keep_names: false,
          minify: true,
          alias: {
            zod: join(import.meta.dirname, '../../src/platform/http/zod.ts'),
            ...(networks === 'held-out' ? heldOutFiles : {}),
          },
          assets: { directory: networks === 'held-out' ? heldOutFolder : publicFolder, binding: 'ASSETS' },
          vars,
        },
      },
    ],
  })
  // Else it asks the network for a picture of `request.cf`.
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false'
  await server.listen()
  return server
}
