/** Returns the value of an untrusted name. `record[name]` would also find inherited values such as `constructor`. */
export const valueOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
