import type { NewOrder, OrderRoom } from '../../ports/order-store.ts'
import type { Sql } from './sql.ts'

/** The status of a new row: `awaiting_deposit` for an order with a deposit, `awaiting_signature` for a payment. */
type FirstStatus = 'awaiting_deposit' | 'awaiting_signature'

export const INTO = `INSERT INTO orders (id, account_id, quote_nonce, idempotency_key, fingerprint, epoch,
    reference, status, source_mint, destination_mint, amount_in, partner_fee, value, amount_out, sender,
    partner_account, deadline, valid_until, expiry, inner_commitment, leaf, payload,
    last_valid_block_height, sealed_terms, sealed_response, created_at, updated_at, network, place)`

/**
 * SQL for the values of a new row in all columns except `place`. `at` gets a number from 1 to 26 and returns the SQL
 * for the value with this number, such as `$1`.
 */
export function rowOf(status: FirstStatus, at = (value: number): string => `$${value}`): string {
  const values = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => at(from + index)).join(', ')
  return `${values(1, 7)}, '${status}', ${values(8, 25)}, ${at(25)}, ${at(26)}`
}

const HOLDS_A_PLACE = `status IN ('awaiting_deposit', 'awaiting_signature') AND final_hour IS NULL`

// If another order has the place, no row is inserted. If another order has the quote or the key, the insert fails.
const IF_FREE = `ON CONFLICT (account_id, network, place)
    WHERE ${HOLDS_A_PLACE} DO NOTHING RETURNING place`

/**
 * SQL that tries one random place. Each unpaid order occupies one place. A partner's account has as many places as it
 * may have unpaid orders. On the send page, each IP network of visitors has its own places. Most places are usually
 * free, so one statement is usually enough.
 */
const atAnyPlace = (status: FirstStatus) => `${INTO}
  VALUES (${rowOf(status)}, floor(random() * $27::integer)::integer) ${IF_FREE}`

const isFree = (candidate: string) => `NOT EXISTS (
      SELECT 1 FROM orders WHERE orders.account_id = $2
        AND orders.network = $26
        AND orders.place = ${candidate}.place AND ${HOLDS_A_PLACE})`

/**
 * Number of random places that the second statement tries. If a fifth of all places is free, it nearly always finds a
 * free one.
 */
const DRAWN = 32
const atDrawnPlace = (status: FirstStatus) => `${INTO}
  SELECT ${rowOf(status)}, drawn.place FROM (
    SELECT floor(random() * $27::integer)::integer AS place
    FROM generate_series(1, ${DRAWN})) AS drawn
  WHERE ${isFree('drawn')} LIMIT 1 ${IF_FREE}`

/** SQL that searches all places for a free one. With a million places, the search takes a third of a second. */
const atFreePlace = (status: FirstStatus) => `${INTO}
  SELECT ${rowOf(status)}, free.place FROM (
    SELECT place FROM generate_series(0, $27::integer - 1) AS place
    WHERE ${isFree('place')}
    ORDER BY random() LIMIT 1) AS free ${IF_FREE}`

const STATEMENTS = {
  awaiting_deposit: {
    ...{ any: atAnyPlace('awaiting_deposit'), name: 'create-order' },
    ...{ drawn: atDrawnPlace('awaiting_deposit'), free: atFreePlace('awaiting_deposit') },
  },
  awaiting_signature: {
    ...{ any: atAnyPlace('awaiting_signature'), name: 'create-payment' },
    ...{ drawn: atDrawnPlace('awaiting_signature'), free: atFreePlace('awaiting_signature') },
  },
} as const

/**
 * Maximum number of searches. Another request may take the place that a search has found, so the search is repeated.
 * After this many searches, the request is refused.
 */
const TRIES = 4

/**
 * Inserts a row at a random place. Returns false if another order has this place.
 *
 * @throws an error with the code of a unique violation if another order has the quote or the key.
 */
export async function insertAtAnyPlace(
  sql: Sql,
  status: FirstStatus,
  values: readonly unknown[],
): Promise<boolean> {
  const { any, name } = STATEMENTS[status]
  return (await sql.query(any, values, name)).length > 0
}

/** The places of an account or network. `isPlaceTried` is true if a random place was already tried. */
export type Places = Pick<OrderRoom, 'ordersMax' | 'endedBefore'> & {
  readonly isPlaceTried?: boolean
}

/**
 * SQL that frees the places of orders that can't be paid any more. Usually such orders expire, and occupy no place,
 * within minutes. But an expiry needs two nodes, so it may take hours. A row that another request is freeing is left
 * out, so that two requests don't wait for each other.
 */
const FREE_ENDED = `UPDATE orders SET place = NULL WHERE id IN (
    SELECT id FROM orders WHERE account_id = $1 AND network = $2 AND place IS NOT NULL
      AND valid_until < $3 AND ${HOLDS_A_PLACE} FOR UPDATE SKIP LOCKED) RETURNING id`

/**
 * Inserts a row at a free place of its account. If no place is free, first frees the places of orders that can't be paid
 * any more. Returns false if no free place was found.
 */
export async function insertAtPlace(
  sql: Sql,
  status: FirstStatus,
  row: readonly unknown[],
  { ordersMax, endedBefore, isPlaceTried = false }: Places,
): Promise<boolean> {
  if (ordersMax <= 0) return false
  const values = [...row, ordersMax]
  if (!isPlaceTried && (await insertAtAnyPlace(sql, status, values))) return true
  const { drawn, free } = STATEMENTS[status]
  if ((await sql.query(drawn, values)).length > 0) return true
  const search = async (): Promise<boolean> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if ((await sql.query(free, values)).length > 0) return true
    }
    return false
  }
  if (await search()) return true
  if (endedBefore === undefined) return false
  const [accountId, network] = [row[ACCOUNT_AT], row[NETWORK_AT]]
  const freed = await sql.query(FREE_ENDED, [accountId, network, endedBefore.toString()])
  return freed.length > 0 && search()
}

/** The positions of the values `$2` and `$26` in a row. */
const [ACCOUNT_AT, NETWORK_AT] = [1, 25] as const

const TAKEN = `SELECT 1 FROM orders WHERE quote_nonce = $1
  UNION ALL SELECT 1 FROM orders WHERE idempotency_key = $2 AND account_id IS NOT DISTINCT FROM $3`

/**
 * True if another order has the quote or the key. A request that lost a race for them must get the other request's
 * order as its answer, instead of an error about places.
 */
export async function isTaken(
  sql: Sql,
  {
    quoteNonce,
    idempotencyKey,
    accountId,
  }: Pick<NewOrder, 'quoteNonce' | 'idempotencyKey' | 'accountId'>,
): Promise<boolean> {
  return (await sql.query(TAKEN, [quoteNonce, idempotencyKey ?? null, accountId])).length > 0
}
