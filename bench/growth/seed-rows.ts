import { getAddressDecoder, type Address } from '@solana/kit'
import { randomBytes, randomUUID } from 'node:crypto'

/** The rows of a delivered transfer. The key of its hour has been destroyed. */
export interface SeededRow {
  readonly order: string
  readonly leaf: string
}

export interface SeedOptions {
  readonly count: number
  readonly assets: readonly Address[]
  /** The time at which the newest order ended. It is so long ago that all retention times have passed. */
  readonly endMs: number
}

/** The interval between two deposits, in milliseconds. With this interval, a million deposits take twelve days. */
const APART_MS = 1_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SLOT_MS = 400
/** Number of different senders. There are few, because writing addresses takes time. */
const SENDERS = 1_000

const hex = (bytes: Buffer): string => `\\\\x${bytes.toString('hex')}`
const EMPTY = '\\\\x'

/** Random bytes whose value is below the field's modulus, which has 254 bits. */
function fieldElement(): Buffer {
  const bytes = randomBytes(32)
  bytes[0] = (bytes[0] ?? 0) & 0x1f
  return bytes
}

const iso = (ms: number): string => new Date(ms).toISOString()
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

/** The columns of an order's row, in the order of the text that `seedRows` writes. */
export const ORDER_COLUMNS = `id, account_id, quote_nonce, idempotency_key, fingerprint, epoch, status,
  source_mint, destination_mint, amount_in, partner_fee, value, amount_out, sender, deadline, valid_until,
  expiry, inner_commitment, leaf, payload, last_valid_block_height, sealed_terms, sealed_response, created_at,
  updated_at, deposit_seen_at, deposit_signature, deposit_slot, deposit_at, leaf_index, final_hour`
export const LEAF_COLUMNS = 'leaf_index, leaf'

/**
 * Rows in the text format of COPY. The rows have no sealed data, because the orders are delivered and their epoch is
 * cleared.
 */
export function* seedRows({ count, assets, endMs }: SeedOptions): Generator<SeededRow> {
  const decoder = getAddressDecoder()
  const senders = Array.from({ length: SENDERS }, () => decoder.decode(randomBytes(32)))
  for (let index = 0; index < count; index += 1) {
    const id = hex(randomBytes(16))
    const createdMs = endMs - (count - index) * APART_MS
    const seconds = Math.floor(createdMs / 1_000)
    const hour = iso(hourOf(createdMs) + HOUR_MS)
    const asset = assets[index % assets.length] ?? ''
    const slot = Math.floor(createdMs / SLOT_MS)
    const depositMs = createdMs + MINUTE_MS
    const noteLeaf = hex(fieldElement())
    const order = [
      ...[id, 'local', hex(randomBytes(16)), randomUUID(), EMPTY, Math.floor(createdMs / HOUR_MS)],
      ...['delivered', asset, asset, '1000000000', '0', '1000000000', '997900000'],
      ...[senders[index % SENDERS], seconds + 1_800, seconds + 1_800, seconds + 5_400],
      ...[
        hex(fieldElement()),
        noteLeaf,
        hex(randomBytes(65)),
        slot,
        EMPTY,
        EMPTY,
        iso(createdMs),
        hour,
      ],
      ...[iso(depositMs), `${index}`.padStart(88, 'S'), slot, Math.floor(depositMs / 1_000)],
      ...[index, hour],
    ]
    const leaf = [index, noteLeaf]
    yield { order: `${order.join('\t')}\n`, leaf: `${leaf.join('\t')}\n` }
  }
}
