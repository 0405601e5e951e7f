/**
 * Replaces `zod` in the script (`alias` in wrangler.toml): zod without its translations, which every isolate would
 * load.
 */
export * from '../../../node_modules/zod/v4/classic/schemas.js'
export * from '../../../node_modules/zod/v4/classic/checks.js'
export * from '../../../node_modules/zod/v4/classic/errors.js'
export * from '../../../node_modules/zod/v4/classic/parse.js'
export * from '../../../node_modules/zod/v4/classic/compat.js'
export { NEVER, config, globalRegistry, registry } from '../../../node_modules/zod/v4/core/index.js'
export * as coerce from '../../../node_modules/zod/v4/classic/coerce.js'
export * as iso from '../../../node_modules/zod/v4/classic/iso.js'
export * as z from './zod.ts'
