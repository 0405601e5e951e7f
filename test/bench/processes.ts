import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** MB of a line of /proc/PID/status: `VmRSS` is what a process holds, `VmHWM` the most that it held. */
export function memoryMb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) / 1000
}

/** Sets `VmHWM` to what the process holds now (proc(5), clear_refs). */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The processor time that processes have used, in ms: that of their threads which still run, to the nanosecond. */
export function processorMs(pids: readonly number[]): number {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}/schedstat`),
  )
  return threads.reduce((sum, path) => sum + Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6, 0)
}

/** The process ids of the workerds that descend from a process. */
export function workerdsOf(ancestor: number): number[] {
  const parents = new Map<number, number>()
  const names = new Map<number, string>()
  for (const line of execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).split('\n')) {
    const [id, parent, name = ''] = line.trim().split(/\s+/)
    parents.set(Number(id), Number(parent))
    names.set(Number(id), name)
  }
  const isDescendant = (id: number): boolean =>
    id === ancestor || (parents.has(id) && isDescendant(parents.get(id) ?? 0))
  return [...names].filter(([id, name]) => name === 'workerd' && isDescendant(id)).map(([id]) => id)
}
