/**
 * `npm run bench`: measures how long a garment takes. `npm run bench -- --floor` compares throughput with a bare
 * Worker.
 */
import process from 'node:process'

if (process.argv.includes('--floor')) await (await import('./floor/floor.ts')).measureFloor()
else await import('./latency.ts')
