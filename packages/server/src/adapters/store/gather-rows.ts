import { hexOf } from '../../domain/hex.ts'
import { gather } from '../../running/gather.ts'
import type { Sql } from './sql.ts'

/** Maximum number of searches that share a statement. */
const SEARCHES_MAX = 32

/**
 * The searches that share a statement, as a table `given`. Each row has an account, and the bytes to search for in hex.
 * The searches are passed as one JSON text. For every JSON text, the database estimates the same number of rows and
 * keeps its plan. For an array, it would count the elements and make a new plan for each statement.
 */
export const GIVEN = `jsonb_to_recordset($1::text::jsonb)
    AS given (place integer, account_id text, searched text)`

interface Search {
  readonly accountId: string
  readonly bytes: Uint8Array
}

/**
 * Creates a function that searches for bytes in an account. The statement `text` selects `given.place` and the row's
 * columns from `GIVEN`. `name` is the statement's name. Searches that wait at the same time share one statement.
 */
export function gatherRows<Row>(
  sql: Sql,
  text: string,
  name: string,
): (accountId: string, bytes: Uint8Array) => Promise<readonly Row[]> {
  const read = async (searches: readonly Search[]): Promise<Row[][]> => {
    const given = searches.map(({ accountId, bytes }, place) => ({
      place,
      account_id: accountId,
      searched: hexOf(bytes),
    }))
    const rows = await sql.query<Row & { readonly place: number }>(
      text,
      [JSON.stringify(given)],
      name,
    )
    const found = searches.map((): Row[] => [])
    for (const row of rows) found[row.place]?.push(row)
    return found
  }
  const search = gather(read, SEARCHES_MAX)
  return (accountId, bytes) => search({ accountId, bytes })
}
