import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const importPattern = /^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?'([^']+)'/gm

/** Lists a file's imports except types: project files as paths, packages as names. */
function importsOf(path: string): readonly string[] {
  const source = /\.tsx?$/.test(path) ? readFileSync(path, 'utf8') : ''
  return [...source.matchAll(importPattern)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? join(dirname(path), specifier) : specifier,
  )
}

/**
 * Groups test files by runtime. A file that imports `cloudflare:workers` or `cloudflare:test`, directly or through
 * other modules, needs workerd. All others run in Node.js, which is faster. So do tests of `vision` and `labels`, whose
 * networks only read static assets.
 */
export function sortTestFiles(pattern: string, exclude: readonly string[]) {
  const known = new Map<string, readonly string[]>()
  const needsWorkerd = (start: string) => {
    const reached = new Set([start])
    for (const path of reached) {
      const imports = known.get(path) ?? importsOf(path)
      known.set(path, imports)
      for (const each of imports) {
        if (each.startsWith('cloudflare:')) return true
        if (each.includes('/') && !/^src\/(?:vision|labels)\//.test(each)) reached.add(each)
      }
    }
    return false
  }
  const files = globSync(pattern, { exclude })
  return Object.groupBy(files, (path) => (needsWorkerd(path) ? 'workerd' : 'node'))
}
