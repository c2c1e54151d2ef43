import type { Database, Sql } from './sql.ts'

/**
 * Maximum number of statement names. It bounds memory, because each connection keeps its named statements. The service
 * has far fewer statements.
 */
const NAMES_MAX = 400

/**
 * The name of each statement's text. The map is shared by the whole process, because a connection must never see two
 * texts with the same name.
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
 * Wraps a database, and gives every statement a name. A connection then parses a statement only once, and after a few
 * uses it also keeps the plan. The wrapper is for code that runs the same statements for each order, several times per
 * second.
 */
export function withNamedStatements(database: Database): Database {
  return {
    ...database,
    ...named(database),
    transaction: (work, length) => database.transaction((sql) => work(named(sql)), length),
  }
}
