import type { Config } from 'drizzle-kit'

export const config: Config = { dialect: 'sqlite', schema: './src/platform/db/schema.ts', out: './migrations' }
// drizzle-kit reads the default export.
export default config
