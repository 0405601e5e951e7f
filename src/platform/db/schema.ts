export * from './tables.ts'
export * from './without-rowid.ts'
