import pg from 'pg'
import { assertWritable, READ_ONLY, ReadOnlyServerError } from './assert-writable.ts'
import type { Database, Sql, TransactionLength } from './sql.ts'

// The driver's types lack this option: the time limit of one statement.
interface Statement extends pg.QueryConfig {
  readonly query_timeout?: number
}

interface Connection {
  readonly query: (statement: string | Statement) => Promise<pg.QueryResult>
}

interface PooledConnection extends Connection {
  /** True if a statement has shown that the connection is lost, or that its server is useless. */
  readonly isLost: () => boolean
}

interface Pool {
  /** Returns a connection to a server that accepted writes when it was last checked. @throws ReadOnlyServerError */
  readonly connect: () => Promise<pg.PoolClient>
  /** Closes every connection that is open now before its next use. */
  readonly renew: () => void
}

/**
 * Codes of errors after which a connection is closed: its server is read-only, is shutting down, has crashed, or
 * doesn't accept connections. After a failover, the next connection may reach another server.
 */
const SERVER_USELESS: ReadonlySet<string | undefined> = new Set([
  READ_ONLY,
  '57P01',
  '57P02',
  '57P03',
])

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
  /** Seconds after which a connection is replaced. A connection in use is replaced after its use. */
  readonly connectionLifetimeSeconds?: number
}

// The database's own statement timeout is shorter. So only a connection that doesn't answer reaches this limit.
const ANSWER_WITHIN_MS = 45_000
// Time limit of a statement in a long transaction, which may take hours.
const LONG_ANSWER_WITHIN_MS = 86_400_000
// A server can become read-only while it has connections. A process that only reads doesn't notice this, so each
// connection is replaced after this time.
const CONNECTION_LIFETIME_SECONDS = 300
// Pause between new connections to a server that is read-only. Every connection to such a server is closed at once, so
// without a pause each statement of a busy process would open a new connection.
const READ_ONLY_PAUSE_MS = 500

/** Connects to a PostgreSQL server, version 15 or newer. Each connection is opened when it is first needed. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? 20,
    connectionTimeoutMillis: 5_000,
    maxLifetimeSeconds: options.connectionLifetimeSeconds ?? CONNECTION_LIFETIME_SECONDS,
    // Any statement of the service takes less than 30 seconds. Without these limits, a forgotten transaction could keep
    // its locks forever.
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: 30_000,
    query_timeout: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    // With keepAlive, a connection fails if its host disappeared without closing it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // If the server closes an idle connection, the pool opens another connection on the next use. Without a listener,
  // this event would end the process.
  pool.on('error', ignore)
  const writable = writableOf(pool)
  return {
    query: <Row>(text: string, parameters: readonly unknown[], name?: string) =>
      onConnection(writable, (sql) => sql.query<Row>(text, parameters, name)),
    script: (text) => onConnection(writable, (sql) => sql.script(text)),
    transaction: (work, length) => inTransaction(writable, work, length),
    connections: () => {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool
      return { busy: totalCount - idle, idle, waiting }
    },
    close: () => pool.end(),
  }
}

/**
 * Checks each new connection once. If a write shows that a server is read-only, the other connections probably reach
 * the same server, so all connections are replaced. If a new connection's server is read-only, calls that would need a
 * new connection fail during a pause. After the pause, the first such call connects, and further calls fail until this
 * connection has succeeded.
 */
function writableOf(pool: pg.Pool): Pool {
  const known = new WeakSet<pg.PoolClient>()
  let usable = new WeakSet<pg.PoolClient>()
  /** Aborts when the pause is over. Undefined if the last new connection was writable. */
  let paused: AbortSignal | undefined
  const pause = () => {
    paused = AbortSignal.timeout(READ_ONLY_PAUSE_MS)
  }
  const open = async (): Promise<pg.PoolClient> => {
    if (paused === undefined || pool.idleCount > 0) return pool.connect()
    if (!paused.aborted) throw new ReadOnlyServerError()
    pause()
    try {
      return await pool.connect()
    } catch (error) {
      // The server no longer answers as a read-only server, so callers get the true error.
      paused = undefined
      throw error
    }
  }
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await open()
    if (usable.has(client)) return client
    if (known.has(client)) {
      client.release(true)
      return connect()
    }
    known.add(client)
    client.on('error', ignore)
    try {
      await assertWritable(client)
      paused = undefined
    } catch (error) {
      if (error instanceof ReadOnlyServerError) pause()
      client.release(true)
      throw error
    } finally {
      client.off('error', ignore)
    }
    usable.add(client)
    return client
  }
  return {
    connect,
    renew: () => {
      usable = new WeakSet()
    },
  }
}

/**
 * Runs one statement on a connection of the pool. `pool.query` would close the connection on any error. Then every
 * request that loses a race for a unique index would need a new connection.
 */
function onConnection<T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  return withClient(pool, (client) => work(sqlOf(client)))
}

function inTransaction<T>(
  pool: Pool,
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
 * answer from the database, the state of the connection is unknown, so the connection is closed instead. It is also
 * closed if the answer shows that the server is useless.
 */
async function withClient<T>(
  pool: Pool,
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
      if (!(error instanceof pg.DatabaseError) || SERVER_USELESS.has(error.code)) {
        broken ??= asError(error)
      }
      if (error instanceof pg.DatabaseError && error.code === READ_ONLY) pool.renew()
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
