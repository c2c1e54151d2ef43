import { BALANCE_SECONDS_MIN } from '../../../domain/balance.ts'
import { isFinal } from '../../../domain/order-state.ts'
import type { EpochSecrets } from '../../../ports/secrets.ts'
import type { OpenOrder, OpenScope } from '../../../ports/settlement-store.ts'
import type { Sql } from '../sql.ts'
import { noteTermsOfRow, type NoteRow } from '../terms-of-row.ts'
import { bytesOf } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'
import { findKey, type PseudonymSecrets } from './pseudonym.ts'
import { mayBeReplaced, replacedPlans } from './plans.ts'
import { readSettlements, type SettlementRow } from './read-settlements.ts'

interface Candidate {
  readonly id: string
  readonly epoch: number
  readonly leafIndex: number
  /**
   * True for a balance whose first end, the expiry of the top-up's note, has passed. Payments may have postponed the
   * actual end by months.
   */
  readonly isPast: boolean
  readonly pseudonym: string | undefined
}

/**
 * After this many rounds, a round lists all orders again. The other rounds start at the oldest open order. So they miss
 * an older order whose deposit was recorded later.
 */
const WHOLE_EVERY = 64
/**
 * After this many rounds, the remembered final orders are forgotten, because the database may have been restored from a
 * backup.
 */
const FORGET_EVERY = 4_096

/**
 * Lists orders whose note is in the tree and not known to be settled, with their live attempts. The scope is all such
 * orders, only orders that may have work, only orders with a live attempt, or only orders with given ids. The database
 * can't join an order's own row with its row in `settlements`. This function joins them by pseudonyms, which it
 * computes with the epochs' keys.
 */
export function openOrdersLister(
  sql: Sql,
  secrets: PseudonymSecrets,
): (which?: OpenScope | readonly Uint8Array[]) => Promise<OpenOrder[]> {
  const listAll = scopeLister(sql, secrets, 'all')
  const listDue = scopeLister(sql, secrets, 'due')
  return async (which = 'all') => {
    if (which === 'all') return listAll()
    if (which === 'due') return listDue()
    if (which === 'attempted') return listDue(isAttempted)
    const { orders } = await unmoved(async () => {
      const rows = await listByIds(sql, which)
      return readOpen(sql, secrets, await withPseudonyms(secrets, rows, new Map()))
    })
    return orders
  }
}

type Listed = Exclude<OpenScope, 'attempted'>

const isAttempted = (side: SettlementRow | undefined): boolean => attemptOf(side) !== undefined

/**
 * Remembers in memory which orders are final. Their own rows stay `deposited` until their epoch is cleared a day later,
 * and a round shouldn't read all final orders again. So a round starts at the leaf of the oldest open order. Balances
 * past their first end may be much older than all other open orders, so they are read by their ids.
 */
function scopeLister(
  sql: Sql,
  secrets: PseudonymSecrets,
  scope: Listed,
): (isWanted?: (side: SettlementRow | undefined) => boolean) => Promise<OpenOrder[]> {
  const settled = new Set<string>()
  let known = new Map<string, Candidate>()
  let past: readonly string[] = []
  let oldestOpen = 0
  let polls = 0
  return async (isWanted = () => true) => {
    const isWhole = polls % WHOLE_EVERY === 0
    if (polls % FORGET_EVERY === 0) settled.clear()
    polls += 1
    const from = isWhole ? 0 : oldestOpen
    const { rows, candidates, orders, final } = await unmoved(async () => {
      const rows = await listDeposited(sql, from, scope, past)
      if (isWhole) prune(settled, rows)
      const perhaps = rows.filter(({ id }) => !settled.has(id))
      const candidates = await withPseudonyms(secrets, perhaps, known)
      known = new Map(candidates.map((candidate) => [candidate.id, candidate]))
      return { rows, candidates, ...(await readOpen(sql, secrets, candidates, isWanted)) }
    })
    for (const id of final) settled.add(id)
    past = candidates.flatMap(({ id, isPast }) => (isPast && !settled.has(id) ? [id] : []))
    oldestOpen = nextStart(candidates, settled, rows, from)
    return orders
  }
}

/** Maximum number of reads of a list, if workers move orders of the list to other pseudonyms. */
const READS_MAX = 3

/**
 * Repeats a read if an order ended or got another pseudonym during the read. Otherwise the list would lack an order
 * with a new pseudonym, and the count of open orders would be too low. If an order is still `moved` in the last read,
 * its rows contradict each other. Then this order is left out, so that work on the other orders continues.
 */
async function unmoved<List extends { readonly hasMoved: boolean }>(
  read: () => Promise<List>,
): Promise<List> {
  let list = await read()
  for (let reads = 1; reads < READS_MAX && list.hasMoved; reads += 1) list = await read()
  return list
}

/** Returns the candidates that are open and wanted, and the ids of all final orders. */
async function readOpen(
  sql: Sql,
  secrets: PseudonymSecrets,
  candidates: readonly Candidate[],
  isWanted: (side: SettlementRow | undefined) => boolean = () => true,
) {
  const sides = await readSettlements(
    sql,
    candidates.flatMap(({ pseudonym }) => pseudonym ?? []),
  )
  const sideOf = ({ pseudonym }: Candidate) => sides.get(pseudonym ?? '')
  const statusOf = (candidate: Candidate) => sideOf(candidate)?.status
  const isEnded = (status: SettlementRow['status'] | undefined) =>
    status !== undefined && status !== 'moved' && isFinal(status)
  const final = candidates.flatMap((one) => (isEnded(statusOf(one)) ? [one.id] : []))
  const open = candidates.filter((one) => {
    const status = statusOf(one)
    return status !== 'moved' && !isEnded(status) && isWanted(sideOf(one))
  })
  const rows = await readOrders(sql, open)
  const listed = open.flatMap((one) => {
    const row = rows.get(one.id)
    return row === undefined ? [] : [{ row, side: sideOf(one) }]
  })
  const perhaps = listed.flatMap(({ row, side }) => (mayBeReplaced(row, side) ? [row] : []))
  const plans = await replacedPlans(sql, secrets, perhaps)
  // A replaced plan is empty only if the order ended, or moved to another key, after its status was read.
  const isLate = ({ row }: (typeof listed)[number]) => plans.get(row)?.length === 0
  const orders = listed
    .filter((one) => !isLate(one))
    .map(({ row, side }) => openOrderOf(row, side, plans.get(row)))
  // An order with the status `moved` has a new pseudonym, which the next read finds.
  const hasMoved = candidates.some((one) => statusOf(one) === 'moved') || listed.some(isLate)
  return { orders, final, hasMoved }
}

type Deposited = Omit<Candidate, 'pseudonym'>

function prune(settled: Set<string>, rows: readonly Deposited[]): void {
  const ids = new Set(rows.map(({ id }) => id))
  for (const id of settled) if (!ids.has(id)) settled.delete(id)
}

/**
 * Returns the leaf index at which the next round starts: the index of the oldest order that isn't final. If all orders
 * are final, it is the index after the youngest order. Balances past their first end don't count as the oldest.
 */
function nextStart(
  candidates: readonly Candidate[],
  settled: ReadonlySet<string>,
  rows: readonly Deposited[],
  from: number,
): number {
  const oldest = candidates.find(({ id, isPast }) => !isPast && !settled.has(id))
  const youngest = rows.at(-1)
  if (oldest !== undefined) return oldest.leafIndex
  return youngest === undefined ? from : Math.max(from, youngest.leafIndex + 1)
}

interface DepositedRow {
  readonly id: Uint8Array
  readonly epoch: number
  readonly leaf_index: number
  readonly is_past: boolean
}

const depositedOf = ({ id, epoch, leaf_index: leafIndex, is_past: isPast }: DepositedRow) => ({
  ...{ id: hexOf(id), epoch, leafIndex, isPast },
})

/** SQL that is true for a balance whose first end has passed. */
const IS_PAST = `(expiry - deadline >= ${BALANCE_SECONDS_MIN}
  AND EXISTS (SELECT 1 FROM chain_cursor WHERE expiry < unix_seconds))`

const DEPOSITED = `SELECT id, COALESCE(seal_epoch, epoch)::integer AS epoch, leaf_index::integer AS leaf_index,
    ${IS_PAST} AS is_past
  FROM orders WHERE status = 'deposited'`

const BY_IDS = `${DEPOSITED} AND leaf_index IS NOT NULL
  AND id IN (SELECT decode(given.id, 'hex') FROM unnest($1::text[]) AS given (id))`

/**
 * SQL that is true for an order that may have work. A transfer may always have work. A balance may have work at its
 * end, and while its plan is missing. Some balances end immediately, so a balance may also have work in the first hour
 * after its deposit.
 */
const MAY_HAVE_WORK = `(expiry - deadline < ${BALANCE_SECONDS_MIN} OR octet_length(sealed_plan) = 0
  OR EXISTS (SELECT 1 FROM chain_cursor
             WHERE expiry < unix_seconds OR deposit_at > unix_seconds - 3600))`

/**
 * Lists orders whose epoch isn't cleared, oldest first. Lists all orders of the scope whose leaf index is at least
 * `from`, and the older orders that are in `ids`.
 */
async function listDeposited(
  sql: Sql,
  from: number,
  scope: Listed,
  ids: readonly string[],
): Promise<Deposited[]> {
  // There are two selects, so that each of them can use its own index.
  const rows = await sql.query<DepositedRow>(
    `${BY_IDS} AND leaf_index < $2
     UNION ALL
     ${DEPOSITED} AND leaf_index >= $2 ${scope === 'due' ? `AND ${MAY_HAVE_WORK}` : ''}
     ORDER BY leaf_index`,
    [ids, from],
  )
  return rows.map(depositedOf)
}

async function listByIds(sql: Sql, ids: readonly Uint8Array[]): Promise<Deposited[]> {
  return (await sql.query<DepositedRow>(BY_IDS, [ids.map(hexOf)])).map(depositedOf)
}

async function withPseudonyms(
  secrets: PseudonymSecrets,
  rows: readonly Deposited[],
  known: ReadonlyMap<string, Candidate>,
): Promise<Candidate[]> {
  // A read of a key may need a disk access. So each epoch's key is read only once.
  const epochs = new Map<number, EpochSecrets | undefined>()
  const candidates: Candidate[] = []
  for (const row of rows) {
    const before = known.get(row.id)
    if (before?.epoch === row.epoch && before.pseudonym !== undefined) {
      candidates.push({ ...row, pseudonym: before.pseudonym })
      continue
    }
    if (!epochs.has(row.epoch)) epochs.set(row.epoch, await findKey(secrets, row.epoch))
    const pseudonym = epochs.get(row.epoch)?.pseudonym(Buffer.from(row.id, 'hex'))
    candidates.push({ ...row, pseudonym: pseudonym && hexOf(pseudonym) })
  }
  return candidates
}

interface Row extends NoteRow {
  readonly id: Uint8Array
  readonly epoch: number
  readonly leaf_index: number
  readonly sealed_terms: Uint8Array
  readonly sealed_plan: Uint8Array
}

async function readOrders(
  sql: Sql,
  open: readonly { readonly id: string }[],
): Promise<Map<string, Row>> {
  if (open.length === 0) return new Map()
  const rows = await sql.query<Row>(
    `SELECT id, COALESCE(seal_epoch, epoch)::integer AS epoch, sender, source_mint,
            destination_mint, value, amount_out, deadline, expiry, inner_commitment, leaf,
            leaf_index::integer AS leaf_index, sealed_terms, sealed_plan
     FROM orders
     WHERE status = 'deposited' AND leaf_index IS NOT NULL
       AND id IN (SELECT decode(given.id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [open.map(({ id }) => id)],
  )
  return new Map(rows.map((row) => [hexOf(row.id), row]))
}

function openOrderOf(
  row: Row,
  side: SettlementRow | undefined,
  plan: Uint8Array | undefined,
): OpenOrder {
  return {
    orderId: bytesOf(row.id),
    epoch: row.epoch,
    status: side === undefined || side.status === 'moved' ? 'deposited' : side.status,
    ...noteTermsOfRow(row),
    leafIndex: row.leaf_index,
    sealedTerms: bytesOf(row.sealed_terms),
    sealedPlan: plan ?? bytesOf(side?.sealed_plan ?? row.sealed_plan),
    leaseUntilMs: side?.lease_until?.getTime(),
    attempt: attemptOf(side),
  }
}

export function attemptOf(side: SettlementRow | undefined): OpenOrder['attempt'] {
  if (side === undefined) return undefined
  const { attempt_number: number, attempt_kind: kind, attempt_sealed: sealed } = side
  if (number === null || kind === null || sealed === null) return undefined
  return { number, kind, sealed: bytesOf(sealed) }
}
