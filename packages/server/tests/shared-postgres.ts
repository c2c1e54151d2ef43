import { SHARED_POSTGRES } from './share-postgres.ts'
import { startPostgres, type StartedPostgres } from './start-postgres.ts'

/** Creates databases on a PostgreSQL that other tests also use. */
export interface SharedPostgres extends Pick<StartedPostgres, 'createDatabase' | 'createMigrated'> {
  /** Drops the created databases. */
  readonly stop: () => Promise<void>
}

/**
 * Returns the PostgreSQL that all tests share. Outside of the tests, starts a separate PostgreSQL. A test that restarts
 * the server, or checks its connections or locks, must use `startPostgres` instead.
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

/** Sends a request to the process that shares the PostgreSQL. @throws Error with the response if the request fails. */
export async function askShared(url: string, method: 'POST' | 'DELETE'): Promise<string> {
  const response = await fetch(url, { method })
  const text = await response.text()
  if (!response.ok) throw new Error(`the shared PostgreSQL failed: ${text}`)
  return text
}
