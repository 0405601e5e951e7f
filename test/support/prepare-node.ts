import { scheduler } from 'node:timers/promises'

/** Provides `scheduler`, which is a global in workerd. */
Object.assign(globalThis, { scheduler })
