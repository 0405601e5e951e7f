import { globSync, readFileSync } from 'node:fs'

/** The resident memory in bytes of the workerd processes of a process group. On Linux only. */
export function workerdMemory(group: number): number {
  const sizes = globSync('/proc/[0-9]*/stat').map((path) => {
    try {
      // `pid (name) state parent group ...`; the name may contain spaces.
      const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(path, 'utf8')) ?? []
      if (name !== 'workerd' || Number(rest.split(' ')[2]) !== group) return 0
      const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(path.replace(/stat$/, 'status'), 'utf8')) ?? []
      return Number(kilobytes ?? 0) * 1024
    } catch {
      // The process has ended meanwhile.
      return 0
    }
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}
