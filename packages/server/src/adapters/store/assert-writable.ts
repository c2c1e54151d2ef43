/** The code of PostgreSQL for a statement that a read-only server refuses. */
export const READ_ONLY = '25006'

/** Thrown if a connection reaches a server that refuses writes, such as a standby or a primary that was replaced. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError'
  readonly code = READ_ONLY

  constructor() {
    super('the database server is read-only')
  }
}

interface Session {
  readonly query: (text: string) => Promise<{ readonly rows: readonly unknown[] }>
}

/**
 * Checks that a session's server accepts writes. After a failover, a host name or a proxy may lead to a standby for
 * some time.
 *
 * @throws ReadOnlyServerError
 */
export async function assertWritable(session: Session): Promise<void> {
  const { rows } = await session.query('SHOW transaction_read_only')
  const [row] = rows as readonly { readonly transaction_read_only: string }[]
  if (row?.transaction_read_only === 'on') throw new ReadOnlyServerError()
}
