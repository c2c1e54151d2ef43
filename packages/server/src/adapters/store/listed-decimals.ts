import type { Address } from '@sotto/protocol'
import type { Sql } from './sql.ts'

/** Creates a function that reads a listed asset's number of decimals; undefined if the asset isn't listed. */
export const listedDecimalsOf =
  (sql: Sql) =>
  async (mint: Address): Promise<number | undefined> => {
    const rows = await sql.query<{ readonly decimals: number }>(
      'SELECT decimals FROM assets WHERE mint = $1',
      [mint],
    )
    return rows[0]?.decimals
  }
