/** A connection, or a transaction: whatever can run one statement. */
export interface Sql {
  /**
   * Runs one statement with `$1`-style parameters; numeric and bigint columns arrive as strings. A
   * statement that is run for every request has a name, under which a connection keeps its plan where
   * it can: one name for one text, for ever.
   */
  readonly query: <Row>(
    text: string,
    parameters: readonly unknown[],
    name?: string,
  ) => Promise<Row[]>
  /** Runs a script of several statements without parameters; for migrations. */
  readonly script: (text: string) => Promise<void>
}

/** How long a transaction's statements may take: as any other's, or as long as they need. */
export type TransactionLength = 'short' | 'long'

export interface Database extends Sql {
  /**
   * Runs `work` in one transaction and commits, or rolls back where it throws. `work` must use the
   * `Sql` it is given: a query on the database inside its own transaction deadlocks PGlite. No
   * network call may happen inside (I7). `long` is for work over whole tables: it grows with them.
   */
  readonly transaction: <T>(
    work: (sql: Sql) => Promise<T>,
    length?: TransactionLength,
  ) => Promise<T>
  /** How many connections to the server there are in each state; where it has some. */
  readonly connections?: () => Readonly<Record<'busy' | 'idle' | 'waiting', number>>
  readonly close: () => Promise<void>
}
