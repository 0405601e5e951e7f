import { replaceMethods } from './wrap-database.ts'

/**
 * Simulates a database whose primary is far away, with a `copy` nearby that lags behind. As on the platform, a session
 * reads the copy unless it begins at the primary. After a visit to the primary, or from a bookmark, the copy has caught
 * up. `onTrip` is called for each round trip to the primary.
 */
export function distantDatabase(primary: D1Database, copy: D1Database, onTrip: () => void): D1Database {
  let bookmark = 0
  interface Text {
    readonly sql: string
    readonly params: readonly unknown[]
  }
  const texts = new WeakMap<object, Text>()
  const isRead = ({ sql }: Text) => /^\s*select\b/i.test(sql)
  const prepareOn = (database: D1Database, { sql, params }: Text) => database.prepare(sql).bind(...params)

  function open(start: string) {
    let at = start
    async function run<T>(statements: readonly Text[], act: (database: D1Database) => Promise<T>) {
      const isNear = !at.endsWith('primary') && statements.every(isRead)
      if (isNear) return { isNear, result: await act(at === 'first-unconstrained' ? copy : primary) }
      onTrip()
      const result = await act(primary)
      if (!statements.every(isRead)) bookmark++
      if (start !== 'always-primary') at = `bookmark ${bookmark}`
      return { isNear, result }
    }
    const from = <T extends D1Result>(result: T, isNear: boolean): T => ({
      ...result,
      meta: { ...result.meta, served_by_primary: !isNear },
    })
    function toStatement(text: Text): object {
      const runOne = async () => {
        const { result, isNear } = await run([text], async (database) => await prepareOn(database, text).all())
        return from(result, isNear)
      }
      const statement = {
        bind: (...params: unknown[]) => toStatement({ ...text, params }),
        all: runOne,
        run: runOne,
        raw: async () => (await run([text], async (database) => await prepareOn(database, text).raw())).result,
      }
      texts.set(statement, text)
      return statement
    }
    return {
      prepare: (sql: string) => toStatement({ sql, params: [] }),
      batch: async (statements: readonly object[]) => {
        const all = statements.flatMap((statement) => texts.get(statement) ?? [])
        const { result, isNear } = await run(
          all,
          async (database) => await database.batch(all.map((text) => prepareOn(database, text))),
        )
        return result.map((each) => from(each, isNear))
      },
      getBookmark: () => (at.startsWith('bookmark') ? at : null),
    }
  }
  return replaceMethods(primary, { ...open('always-primary'), withSession: open })
}
