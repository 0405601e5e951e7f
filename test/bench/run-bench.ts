/** `npm run bench`: how long a garment takes. `npm run bench -- --floor`: the throughput beside a bare Worker's. */
import process from 'node:process'

if (process.argv.includes('--floor')) await (await import('./floor/floor.ts')).measureFloor()
else await import('./latency.ts')
