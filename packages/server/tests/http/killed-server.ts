import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createRpcClient } from '../../src/adapters/rpc/rpc-client.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database, Sql } from '../../src/adapters/store/sql.ts'
import { startApi } from './start-api.ts'

/** The point at which the process kills itself during its first order. It is an argument of this program. */
export type KillPoint = 'before-insert' | 'under-way' | 'before-commit' | 'after-commit'

const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('unreachable')
}
const isInsert = (text: string): boolean => text.startsWith('INSERT INTO orders')

/** Wraps a connection so that the process is killed before, during or after the insert of an order. */
function deadly(sql: Sql, point: KillPoint, isInTransaction: boolean): Sql['query'] {
  return async <Row>(text: string, parameters: readonly unknown[]) => {
    if (!isInsert(text)) return sql.query<Row>(text, parameters)
    if (point === 'before-insert') return die()
    const inserted = sql.query<Row>(text, parameters)
    // Before the process is killed, the statement is sent, but its result doesn't arrive.
    if (point === 'under-way') setImmediate(() => setImmediate(die))
    const rows = await inserted
    if (point === (isInTransaction ? 'before-commit' : 'after-commit')) return die()
    return rows
  }
}

function deadlyDatabase(database: Database, point: KillPoint): Database {
  return {
    ...database,
    query: deadly(database, point, false),
    transaction: async (work) => {
      const result = await database.transaction((sql) =>
        work({ ...sql, query: deadly(sql, point, true) }),
      )
      return point === 'after-commit' ? die() : result
    },
  }
}

/** Serves until the process kills itself, and prints the server's address. Runs as a separate process. */
const [point, databaseUrl] = process.argv.slice(2) as [KillPoint, string]
const settings = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('SOTTO_') && value !== undefined ? [[name, value]] : [],
  ),
)
const { baseUrl } = await startApi(
  {
    database: deadlyDatabase(openPostgres(databaseUrl), point),
    rpc: createRpcClient(settings['SOTTO_RPC_URL']!),
    secrets: openFileSecrets(settings['SOTTO_KEYS']!, systemRandom),
  },
  settings,
)
process.stdout.write(`${baseUrl}\n`)
