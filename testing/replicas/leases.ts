import { hostname } from 'node:os'
import { openPostgres } from '../../packages/server/src/adapters/store/postgres.ts'

interface LeaseRow {
  readonly pseudonym: string
  readonly lease_owner: string
}

/** Reads from the database which worker has the lease of each order. The service has no interface for this. */
export class Leases {
  readonly #database

  constructor(databaseUrl: string) {
    this.#database = openPostgres(databaseUrl, { connectionsMax: 1 })
  }

  /** The pseudonyms of the orders whose leases this process holds now. */
  async heldBy(pid: number | undefined): Promise<string[]> {
    const rows = await this.#database.query<LeaseRow>(
      `SELECT encode(pseudonym, 'hex') AS pseudonym, lease_owner FROM settlements
       WHERE lease_until > now()`,
      [],
    )
    const mine = rows.filter(({ lease_owner: owner }) => owner.startsWith(`${hostname()}-${pid}-`))
    return mine.map(({ pseudonym }) => pseudonym)
  }

  /** The number of the given orders that are settled. */
  async settled(pseudonyms: readonly string[]): Promise<number> {
    const [row] = await this.#database.query<{ count: string }>(
      `SELECT count(*) FROM settlements
       WHERE encode(pseudonym, 'hex') = ANY ($1) AND status IN ('delivered', 'refunded')`,
      [pseudonyms],
    )
    return Number(row?.count)
  }

  async close(): Promise<void> {
    await this.#database.close()
  }
}
