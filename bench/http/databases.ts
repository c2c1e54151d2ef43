import { join } from 'node:path'
import { startPostgres } from '../../packages/server/tests/start-postgres.ts'

export const DATABASES = ['postgres', 'pglite'] as const
export type DatabaseKind = (typeof DATABASES)[number]

/** Where product and baseline keep their rows: the same kind of database, one for each. */
export interface Databases {
  readonly product: Readonly<Record<`SOTTO_${string}`, string>>
  /** A PostgreSQL's URL, or the folder of an embedded one. */
  readonly bare: string
  readonly stop: () => Promise<void>
}

export async function startDatabases(kind: DatabaseKind, folder: string): Promise<Databases> {
  switch (kind) {
    case 'postgres': {
      const postgres = await startPostgres()
      const url = await postgres.createDatabase()
      const product = { SOTTO_DATABASE_URL: url, SOTTO_ROLE: 'api' }
      return { product, bare: await postgres.createDatabase(), stop: postgres.stop }
    }
    case 'pglite': {
      // An embedded database belongs to one process, which then also settles; with nothing to settle
      // its looks at the chain would only be in the way.
      const quiet = { SOTTO_POLL_MS: '10000', SOTTO_UPKEEP_SECONDS: '600' }
      const product = { SOTTO_DATA: join(folder, 'product'), ...quiet }
      return { product, bare: join(folder, 'bare'), stop: async () => undefined }
    }
  }
}
