import type { Database, Sql } from '../../src/adapters/store/sql.ts'

/** A database that also records its statements. */
export interface RecordedDatabase extends Database {
  readonly statements: { readonly text: string; readonly parameters: readonly unknown[] }[]
}

/** Wraps a real database so that its statements are recorded. */
export function recordedDatabase(database: Database): RecordedDatabase {
  const statements: { text: string; parameters: readonly unknown[] }[] = []
  const recording = (sql: Sql): Sql => ({
    query: <Row>(text: string, parameters: readonly unknown[]) => {
      statements.push({ text, parameters })
      return sql.query<Row>(text, parameters)
    },
    script: (text) => {
      statements.push({ text, parameters: [] })
      return sql.script(text)
    },
  })
  return {
    ...recording(database),
    statements,
    transaction: (work, length) => database.transaction((sql) => work(recording(sql)), length),
    close: () => database.close(),
  }
}
