/** Anything that can run a statement: a connection or a transaction. */
export interface Sql {
  /**
   * Runs one statement with parameters such as `$1`. Numeric and bigint columns are returned as strings. A statement
   * that runs for every request has a `name`, so that a connection can keep its plan. The same name must always have
   * the same text.
   */
  readonly query: <Row>(
    text: string,
    parameters: readonly unknown[],
    name?: string,
  ) => Promise<Row[]>
  /** Runs a script of several statements without parameters. It is for migrations. */
  readonly script: (text: string) => Promise<void>
}

/** The time limit of each statement in a transaction. `short`: the usual limit. `long`: a limit of many hours. */
export type TransactionLength = 'short' | 'long'

export interface Database extends Sql {
  /**
   * Runs `work` in one transaction. Commits it, or rolls it back if `work` throws. `work` must use the `Sql` that it
   * receives, because a query on the database inside its own transaction would deadlock PGlite. `work` must not make a
   * network call (I7). `long` is for work on whole tables, which takes longer the larger the tables are.
   */
  readonly transaction: <T>(
    work: (sql: Sql) => Promise<T>,
    length?: TransactionLength,
  ) => Promise<T>
  /** The number of connections to the server in each state; undefined for the embedded database. */
  readonly connections?: () => Readonly<Record<'busy' | 'idle' | 'waiting', number>>
  readonly close: () => Promise<void>
}
