import { SHARED_POSTGRES } from './share-postgres.ts'
import { startPostgres, type StartedPostgres } from './start-postgres.ts'

/** Creates databases on a PostgreSQL that other tests use too. */
export interface SharedPostgres extends Pick<StartedPostgres, 'createDatabase' | 'createMigrated'> {
  /** Drops the databases. */
  readonly stop: () => Promise<void>
}

/**
 * The PostgreSQL that all tests share; outside of the tests a separate one. Some tests restart the server, or check its
 * connections or locks. Such a test starts its own server.
 */
export async function sharedPostgres(): Promise<SharedPostgres> {
  const shared = process.env[SHARED_POSTGRES]
  if (shared === undefined) return startPostgres()
  const made: string[] = []
  const make = async (kind: string) => {
    const url = await askShared(`${shared}/${kind}`, 'POST')
    made.push(url)
    return url
  }
  return {
    createDatabase: () => make('empty'),
    createMigrated: () => make('migrated'),
    stop: async () => {
      for (const url of made) await askShared(shared + new URL(url).pathname, 'DELETE')
    },
  }
}

/** Sends a request to the process that shares the PostgreSQL. @throws Error with its answer if it fails. */
export async function askShared(url: string, method: 'POST' | 'DELETE'): Promise<string> {
  const response = await fetch(url, { method })
  const text = await response.text()
  if (!response.ok) throw new Error(`the shared PostgreSQL failed: ${text}`)
  return text
}
