import pg from 'pg'
import type { Database, Sql, TransactionLength } from './sql.ts'

// The driver's types lack this option: the time limit of one statement.
interface Statement extends pg.QueryConfig {
  readonly query_timeout?: number
}

interface Connection {
  readonly query: (statement: string | Statement) => Promise<pg.QueryResult>
}

interface PooledConnection extends Connection {
  /** True if a statement has failed without an answer from the database. */
  readonly isLost: () => boolean
}

// The driver returns numeric and bigint columns as strings, timestamptz as Date, and bytea as Buffer.
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
  /** Maximum number of connections that this process opens. The server must allow the sum over all replicas. */
  readonly connectionsMax?: number
  /** Maximum wait for the answer to a statement, in milliseconds. A connection that takes longer counts as lost. */
  readonly answerWithinMs?: number
}

// The database's own statement timeout is shorter. So only a connection that doesn't answer reaches this limit.
const ANSWER_WITHIN_MS = 45_000
// Time limit of a statement in a long transaction, which may take hours.
const LONG_ANSWER_WITHIN_MS = 86_400_000

/** Connects to a PostgreSQL server, version 15 or newer. Each connection is opened when it is first needed. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? 20,
    connectionTimeoutMillis: 5_000,
    // Any statement of the service takes less than 30 seconds. Without these limits, a forgotten transaction could keep
    // its locks forever.
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: 30_000,
    query_timeout: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    // With keepAlive, a connection fails if its host disappeared without closing it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // If the server closes an idle connection, the pool opens another one on the next use. Without a listener, this event
  // would end the process.
  pool.on('error', ignore)
  return {
    query: <Row>(text: string, parameters: readonly unknown[], name?: string) =>
      onConnection(pool, (sql) => sql.query<Row>(text, parameters, name)),
    script: (text) => onConnection(pool, (sql) => sql.script(text)),
    transaction: (work, length) => inTransaction(pool, work, length),
    connections: () => {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool
      return { busy: totalCount - idle, idle, waiting }
    },
    close: () => pool.end(),
  }
}

/**
 * Runs one statement on a connection of the pool. `pool.query` would close the connection on any error. Then every
 * request that loses a race for a unique index would need a new connection.
 */
function onConnection<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  return withClient(pool, (client) => work(sqlOf(client)))
}

function inTransaction<T>(
  pool: pg.Pool,
  work: (sql: Sql) => Promise<T>,
  length: TransactionLength = 'short',
): Promise<T> {
  return withClient(pool, async (client) => {
    try {
      await client.query('BEGIN')
      const result = await (length === 'long' ? atLeisure(client, work) : work(sqlOf(client)))
      await client.query('COMMIT')
      return result
    } catch (error) {
      // If the connection is lost, the database rolls back the transaction without this statement.
      if (!client.isLost()) await client.query('ROLLBACK').catch(ignore)
      throw error
    }
  })
}

/** Runs work in a transaction. For its statements, this process and the database have no short time limit. */
async function atLeisure<T>(client: Connection, work: (sql: Sql) => Promise<T>): Promise<T> {
  await client.query('SET LOCAL statement_timeout = 0')
  const query: Connection['query'] = (statement) => {
    const config = typeof statement === 'string' ? { text: statement } : statement
    return client.query({ ...config, query_timeout: LONG_ANSWER_WITHIN_MS })
  }
  return work(sqlOf({ query }))
}

/**
 * Runs work with a connection of the pool, and returns the connection afterwards. If a statement failed without an
 * answer from the database, the state of the connection is unknown, so the connection is closed instead.
 */
async function withClient<T>(
  pool: pg.Pool,
  work: (client: PooledConnection) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // The pool handles only errors of idle connections. Without this listener, the loss of a connection in use would end
  // the process. The current or next statement on a lost connection fails anyway.
  client.on('error', ignore)
  let broken: Error | undefined
  const query: Connection['query'] = async (statement) => {
    try {
      return await client.query(statement)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) broken ??= asError(error)
      throw error
    }
  }
  try {
    return await work({ query, isLost: () => broken !== undefined })
  } finally {
    client.release(broken)
    client.off('error', ignore)
  }
}

const ignore = (): void => undefined

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('the connection failed')
