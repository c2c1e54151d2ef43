import type { Database, Sql } from './sql.ts'

/**
 * Maximum number of statement names. Each connection keeps its named statements, so this number limits memory. The
 * service has far fewer statements.
 */
const NAMES_MAX = 400

/**
 * The name of each statement's text. On a connection, one name must never have two texts. So the whole process shares
 * the map.
 */
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= NAMES_MAX) return known
  const name = `statement-${names.size + 1}`
  names.set(text, name)
  return name
}

const named = (sql: Sql): Sql => ({
  query: (text, parameters, name) => sql.query(text, parameters, name ?? nameOf(text)),
  script: (text) => sql.script(text),
})

/**
 * Wraps a database, and gives up to `NAMES_MAX` statements a name. A connection then parses a statement only once.
 * After a few uses, it also keeps the plan. The wrapper is for code that runs the same statements several times per
 * second.
 */
export function withNamedStatements(database: Database): Database {
  return {
    ...database,
    ...named(database),
    transaction: (work, length) => database.transaction((sql) => work(named(sql)), length),
  }
}
