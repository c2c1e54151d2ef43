import pg from 'pg'
import type { Database, Sql } from './sql.ts'

type Connection = Pick<pg.ClientBase, 'query'>

// Numeric and bigint columns already arrive as strings; timestamptz as Date, bytea as Buffer.
function sqlOf(connection: Connection): Sql {
  return {
    query: async <Row>(text: string, parameters: readonly unknown[], name?: string) => {
      const values = [...parameters]
      const config = name === undefined ? { text, values } : { text, values, name }
      return (await connection.query(config)).rows as Row[]
    },
    script: async (text) => {
      await connection.query(text)
    },
  }
}

export interface PostgresOptions {
  /** Most connections that this process opens; the sum over all replicas must fit the server. */
  readonly connectionsMax?: number
}

/** Connects to a PostgreSQL, 15 or newer; connections are opened when first needed. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? 20,
    connectionTimeoutMillis: 5_000,
    // Longer than any statement of ours; a forgotten transaction must not hold its locks for ever.
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: 30_000,
  })
  // An idle connection that the server drops is replaced on the next use; without a listener the
  // event would end the process.
  pool.on('error', () => undefined)
  return {
    query: <Row>(text: string, parameters: readonly unknown[], name?: string) =>
      onConnection(pool, (sql) => sql.query<Row>(text, parameters, name)),
    script: (text) => sqlOf(pool).script(text),
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  }
}

/**
 * Runs one statement on a connection of the pool. The pool's own way ends the connection on any
 * error, and whoever loses a race by a unique index would pay for a new one.
 */
async function onConnection<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await work(sqlOf(client))
  } catch (error) {
    // What the database itself says leaves the connection as it was; anything else does not.
    if (!(error instanceof pg.DatabaseError)) {
      broken = error instanceof Error ? error : new Error('the connection failed')
    }
    throw error
  } finally {
    client.release(broken)
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(sqlOf(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: unknown) => {
      // A connection that can't roll back must not go back into the pool with its transaction open.
      broken = failure instanceof Error ? failure : new Error('rollback failed')
    })
    throw error
  } finally {
    client.release(broken)
  }
}
