import { isAddress, parseWhole, unixSeconds, type Address } from '@sotto/protocol'
import { lastChangeMs } from '../../domain/last-change.ts'
import type { OrderStatus } from '../../domain/order-state.ts'
import type { StoredOrder } from '../../ports/order-store.ts'
import { bytesOf } from './column-values.ts'
import type { SettlementRow } from './settlement/read-settlements.ts'
import { termsOfRow } from './terms-of-row.ts'

/** The columns that `decodeOrderRow` reads, from a table or alias `o`. */
export const ORDER_COLUMNS = `o.id, o.account_id, o.quote_nonce, o.idempotency_key, o.fingerprint,
  COALESCE(o.seal_epoch, o.epoch) AS epoch, o.reference, o.status, o.source_mint, o.destination_mint, o.amount_in,
  o.partner_fee, o.value, o.amount_out, o.sender, o.partner_account, o.deadline, o.valid_until, o.expiry,
  o.inner_commitment, o.leaf, o.payload, o.last_valid_block_height, o.sealed_terms, o.created_at, o.updated_at, o.deposit_seen_at,
  o.deposit_signature, o.deposit_slot, o.deposit_at, o.sealed_plan`

/** A row as both databases return it, with numeric and bigint values as strings of digits. */
export interface OrderRow {
  readonly id: Uint8Array
  readonly account_id: string
  readonly quote_nonce: Uint8Array
  readonly idempotency_key: string | null
  readonly fingerprint: Uint8Array
  readonly epoch: string
  readonly reference: string | null
  readonly status: OrderStatus
  readonly source_mint: string
  readonly destination_mint: string
  readonly amount_in: string
  readonly partner_fee: string
  readonly value: string
  readonly amount_out: string
  readonly sender: string
  readonly partner_account: string | null
  readonly deadline: string
  readonly valid_until: string
  readonly expiry: string
  readonly inner_commitment: Uint8Array
  /** NULL for a payment, as are all other columns that describe a deposit. */
  readonly leaf: Uint8Array | null
  readonly payload: Uint8Array
  readonly last_valid_block_height: string
  readonly sealed_terms: Uint8Array
  readonly created_at: Date
  readonly updated_at: Date
  readonly deposit_seen_at: Date | null
  readonly deposit_signature: string | null
  readonly deposit_slot: string | null
  readonly deposit_at: string | null
  readonly sealed_plan: Uint8Array | null
}

/** Reads an address from a row. @throws Error if the row is damaged. */
function storedAddress(text: string): Address {
  if (!isAddress(text)) throw new Error('stored address is invalid')
  return text
}

/** Converts an epoch to a number. Hours since 1970 are exact as a number, because they are small. */
export const epochOf = (digits: string): number => parseWhole(digits)

/**
 * Decodes an order's row. No other function decodes such a row. `side` is the order's row in `settlements`. If that row
 * exists and its status isn't `moved`, it has the order's current state. `sealedPlan` is the order's newest plan.
 */
export function decodeOrderRow(
  row: OrderRow,
  side: SettlementRow | undefined,
  sealedPlan: Uint8Array | undefined,
): StoredOrder {
  const { leaf } = row
  if (leaf === null) throw new Error('a payment was read as an order')
  return {
    id: bytesOf(row.id),
    accountId: row.account_id,
    quoteNonce: bytesOf(row.quote_nonce),
    idempotencyKey: row.idempotency_key ?? undefined,
    fingerprint: bytesOf(row.fingerprint),
    epoch: epochOf(row.epoch),
    reference: row.reference ?? undefined,
    status: side === undefined || side.status === 'moved' ? row.status : side.status,
    ...termsOfRow({
      ...row,
      leaf,
      sender: storedAddress(row.sender),
      source_mint: storedAddress(row.source_mint),
      destination_mint: storedAddress(row.destination_mint),
    }),
    partnerAccount: row.partner_account === null ? undefined : storedAddress(row.partner_account),
    validUntil: unixSeconds(BigInt(row.valid_until)),
    payload: bytesOf(row.payload),
    lastValidBlockHeight: BigInt(row.last_valid_block_height),
    sealedTerms: bytesOf(row.sealed_terms),
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: lastChangeMs(
      row.created_at.getTime(),
      row.updated_at.getTime(),
      side?.final_hour?.getTime(),
    ),
    isDepositSeen: row.deposit_seen_at !== null,
    deposit: decodeDeposit(row),
    sealedPlan,
    sealedOutcome: side?.sealed_outcome ? bytesOf(side.sealed_outcome) : undefined,
  }
}

function decodeDeposit(row: OrderRow): StoredOrder['deposit'] {
  const { deposit_signature: signature, deposit_slot: slot, deposit_at: at } = row
  if (at === null) return undefined
  return {
    unixSeconds: unixSeconds(BigInt(at)),
    signature: signature ?? undefined,
    slot: slot === null ? undefined : BigInt(slot),
  }
}
