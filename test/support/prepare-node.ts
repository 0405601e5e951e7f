import { scheduler } from 'node:timers/promises'

/** A global in workerd. */
Object.assign(globalThis, { scheduler })
