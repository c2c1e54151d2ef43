import type { NewOrder, SwapRoom } from '../../ports/order-store.ts'
import type { Sql } from './sql.ts'

/** Stored as the network of an order that was made with a partner's API key. */
export const NO_NETWORK = new Uint8Array()

type Reserved = Record<'reserved' | 'of_account' | 'of_network', string | null>

interface Open extends Reserved {
  readonly swaps: string
}

// Every swap takes the two locks in the same order, so two swaps never deadlock. The locking function is volatile, so
// the database sorts the rows before it calls the function.
const LOCK = `SELECT pg_advisory_xact_lock(kind, hashtext(name))
  FROM (VALUES (1, $1), (2, $2)) AS locks (kind, name) ORDER BY kind`

const OPEN = `SELECT sum(value) FILTER (WHERE destination_mint = $1) AS reserved,
    sum(value) FILTER (WHERE destination_mint = $1 AND account_id = $2) AS of_account,
    sum(value) FILTER (WHERE destination_mint = $1 AND account_id = $2 AND network = $5) AS of_network,
    count(*) FILTER (WHERE account_id = $2 AND network = $5) AS swaps
  FROM orders
  WHERE final_hour IS NULL AND status = 'awaiting_deposit'
    AND source_mint <> destination_mint AND valid_until >= $3 AND id <> $4`

/**
 * Checks whether the inventory suffices for a swap together with all other swaps that may still be paid. Also checks
 * the limits of the swap's account and network. Two swaps of one account, or into one asset, run this check one after
 * the other. Otherwise they could both reserve the last inventory, or both become the last swap within a limit. The
 * swap's own row isn't counted.
 */
export async function roomFor(
  sql: Sql,
  order: NewOrder,
  { available, accountMax, networkMax, openSwapsMax, nowSeconds }: SwapRoom,
): Promise<'room' | 'no_inventory' | 'too_many_swaps'> {
  const { id, accountId, destinationMint, value, network } = order
  await sql.query(LOCK, [accountId, destinationMint])
  const values = [destinationMint, accountId, nowSeconds.toString(), id, network ?? NO_NETWORK]
  const [open] = await sql.query<Open>(OPEN, values)
  const withThis = (kind: keyof Reserved) => BigInt(open?.[kind] ?? '0') + value
  const isBeyond =
    withThis('reserved') > available ||
    withThis('of_account') > accountMax ||
    (network !== undefined && withThis('of_network') > networkMax)
  if (isBeyond) return 'no_inventory'
  return BigInt(open?.swaps ?? '0') >= BigInt(openSwapsMax) ? 'too_many_swaps' : 'room'
}
