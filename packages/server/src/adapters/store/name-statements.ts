import type { Database, Sql } from './sql.ts'

/** Bounds the number of statements that a connection keeps. The service has far fewer. */
const NAMES_MAX = 400

/** The name of each text, for the whole process: a connection must never see one name with two texts. */
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
 * The same database, in which every statement has a name. A connection then parses a statement only once, and after a
 * few uses it keeps the plan too. This is for code that runs the same statements for each order, several times a
 * second.
 */
export function withNamedStatements(database: Database): Database {
  return {
    ...database,
    ...named(database),
    transaction: (work, length) => database.transaction((sql) => work(named(sql)), length),
  }
}
