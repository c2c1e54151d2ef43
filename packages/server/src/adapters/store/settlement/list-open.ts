import { fieldFromBytes, type Address } from '@sotto/protocol'
import { isFinal } from '../../../domain/order-state.ts'
import type { OpenOrder } from '../../../ports/settle-store.ts'
import type { Sql } from '../sql.ts'
import { bytesOf, hexOf } from './column-values.ts'
import { pseudonymOf, type PseudonymSecrets } from './pseudonym.ts'
import { readSettlements, type SettlementRow } from './read-settlements.ts'

interface Candidate {
  readonly id: string
  readonly epoch: number
  readonly pseudonym: string | undefined
}

/**
 * Lists every order whose note is in the tree and not known to be settled, with its live attempt. The
 * database can't join the two sides, so this does, with the epochs' keys, and remembers in memory
 * which orders are final: they stay `deposited` on their own side until their epoch is cleared.
 */
export function openOrdersLister(sql: Sql, secrets: PseudonymSecrets): () => Promise<OpenOrder[]> {
  let known = new Map<string, Candidate>()
  const settled = new Set<string>()
  return async () => {
    const candidates = await listCandidates(sql, secrets, known)
    known = new Map(candidates.map((candidate) => [candidate.id, candidate]))
    for (const id of settled) if (!known.has(id)) settled.delete(id)
    const perhaps = candidates.filter(({ id }) => !settled.has(id))
    const sides = await readSettlements(
      sql,
      perhaps.flatMap(({ pseudonym }) => pseudonym ?? []),
    )
    const open = perhaps.filter(({ id, pseudonym }) => {
      const side = pseudonym === undefined ? undefined : sides.get(pseudonym)
      if (side === undefined || (side.status !== 'moved' && !isFinal(side.status))) return true
      // A row that has moved isn't final: the next look finds the order's new pseudonym.
      if (side.status !== 'moved') settled.add(id)
      return false
    })
    const orders = await readOrders(sql, open)
    return open.flatMap(({ id, pseudonym }) => {
      const row = orders.get(id)
      return row === undefined ? [] : [openOrderOf(row, sides.get(pseudonym ?? ''))]
    })
  }
}

async function listCandidates(
  sql: Sql,
  secrets: PseudonymSecrets,
  known: ReadonlyMap<string, Candidate>,
): Promise<Candidate[]> {
  const rows = await sql.query<{ readonly id: Uint8Array; readonly epoch: number }>(
    `SELECT id, COALESCE(seal_epoch, epoch)::integer AS epoch FROM orders
     WHERE status = 'deposited' AND leaf_index IS NOT NULL`,
    [],
  )
  const candidates: Candidate[] = []
  for (const row of rows) {
    const id = hexOf(row.id)
    const before = known.get(id)
    const isSame = before?.epoch === row.epoch && before.pseudonym !== undefined
    candidates.push(
      isSame
        ? before
        : { id, epoch: row.epoch, pseudonym: await pseudonymOf(secrets, row.epoch, row.id) },
    )
  }
  return candidates
}

interface Row {
  readonly id: Uint8Array
  readonly epoch: number
  readonly sender: Address
  readonly source_mint: Address
  readonly destination_mint: Address
  readonly amount_out: string
  readonly fee: string
  readonly expiry: string
  readonly inner_commitment: Uint8Array
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
            destination_mint, amount_out, fee, expiry, inner_commitment,
            leaf_index::integer AS leaf_index, sealed_terms, sealed_plan
     FROM orders
     WHERE status = 'deposited' AND leaf_index IS NOT NULL
       AND id IN (SELECT decode(given.id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [open.map(({ id }) => id)],
  )
  return new Map(rows.map((row) => [hexOf(row.id), row]))
}

function openOrderOf(row: Row, side: SettlementRow | undefined): OpenOrder {
  return {
    orderId: bytesOf(row.id),
    epoch: row.epoch,
    status: side === undefined || side.status === 'moved' ? 'deposited' : side.status,
    sender: row.sender,
    sourceMint: row.source_mint,
    destinationMint: row.destination_mint,
    amountOut: BigInt(row.amount_out),
    fee: BigInt(row.fee),
    expiry: BigInt(row.expiry),
    inner: fieldFromBytes(bytesOf(row.inner_commitment)),
    leafIndex: row.leaf_index,
    sealedTerms: bytesOf(row.sealed_terms),
    sealedPlan: bytesOf(side?.sealed_plan ?? row.sealed_plan),
    leaseUntilMs: side?.lease_until?.getTime(),
    attempt: attemptOf(side),
  }
}

function attemptOf(side: SettlementRow | undefined): OpenOrder['attempt'] {
  if (side === undefined) return undefined
  const { attempt_number: number, attempt_kind: kind, attempt_sealed: sealed } = side
  if (number === null || kind === null || sealed === null) return undefined
  return { number, kind, sealed: bytesOf(sealed) }
}
