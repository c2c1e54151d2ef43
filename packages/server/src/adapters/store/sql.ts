/** A connection or a transaction: anything that can run a statement. */
export interface Sql {
  /**
   * Runs one statement with parameters such as `$1`. Numeric and bigint columns arrive as strings. A statement that
   * runs for every request has a name, under which a connection may keep its plan. A name must always have the same
   * text.
   */
  readonly query: <Row>(
    text: string,
    parameters: readonly unknown[],
    name?: string,
  ) => Promise<Row[]>
  /** Runs a script of several statements without parameters; for migrations. */
  readonly script: (text: string) => Promise<void>
}

/** Time limit of a transaction's statements: the usual one, or none. */
export type TransactionLength = 'short' | 'long'

export interface Database extends Sql {
  /**
   * Runs `work` in one transaction and commits, or rolls back if it throws. `work` must use the `Sql` it receives: a
   * query on the database inside its own transaction deadlocks PGlite. No network call may happen inside (I7). `long`
   * is for work on whole tables, whose duration grows with the tables.
   */
  readonly transaction: <T>(
    work: (sql: Sql) => Promise<T>,
    length?: TransactionLength,
  ) => Promise<T>
  /** The number of connections to the server in each state; absent for the embedded database. */
  readonly connections?: () => Readonly<Record<'busy' | 'idle' | 'waiting', number>>
  readonly close: () => Promise<void>
}
