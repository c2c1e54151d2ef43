import type { SwapRoom } from '../../ports/order-store.ts'
import type { Sql } from './sql.ts'

/** A swap that reserves inventory, or is about to. */
interface ReservingSwap {
  readonly id: Uint8Array
  readonly accountId: string
  readonly destinationMint: string
  readonly amountOut: bigint
}

interface Open {
  readonly reserved: string | null
  readonly own: string
}

// One after the other in the order of the kinds, so that two swaps never wait for each other; the
// function is volatile, which has the database sort before it calls it.
const LOCK = `SELECT pg_advisory_xact_lock(kind, hashtext(name))
  FROM (VALUES (1, $1), (2, $2)) AS locks (kind, name) ORDER BY kind`

/**
 * Whether a swap fits beside the others that may still be paid. One swap at a time per account and per
 * asset looks at what is left, or two would both take the last of it, or both the account's last place;
 * its own reservation doesn't count against it.
 */
export async function roomFor(
  sql: Sql,
  { id, accountId, destinationMint, amountOut }: ReservingSwap,
  { available, openSwapsMax, nowSeconds }: SwapRoom,
): Promise<'room' | 'no_inventory' | 'too_many_open'> {
  await sql.query(LOCK, [accountId, destinationMint])
  const [open] = await sql.query<Open>(
    `SELECT sum(amount_out) FILTER (WHERE destination_mint = $1) AS reserved,
       count(*) FILTER (WHERE account_id = $2) AS own
     FROM orders
     WHERE final_hour IS NULL AND status = 'awaiting_deposit'
       AND source_mint <> destination_mint AND valid_until >= $3 AND id <> $4`,
    [destinationMint, accountId, nowSeconds.toString(), id],
  )
  if (BigInt(open?.reserved ?? '0') + amountOut > available) return 'no_inventory'
  return BigInt(open?.own ?? '0') >= BigInt(openSwapsMax) ? 'too_many_open' : 'room'
}
