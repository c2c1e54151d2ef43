import {
  addressBytes,
  decodeTicket,
  fieldToBytes,
  FIELD_MODULUS,
  type Address,
} from '@sotto/protocol'
import type { TicketStore } from '../tickets/ticket-store.ts'
import { refuse, type Findings } from './refusal.ts'
import type { VerifiedOrder } from './verified-order.ts'

/**
 * A secret is refused if it is below this number, or if the field's modulus exceeds it by less than this number. The
 * chance that a random field element is so close to 0 or to the modulus is about 2^-61.
 */
const END = 2n ** 192n
/**
 * A secret with at most this many distinct bytes is refused, or with at most this many distinct differences between
 * neighbouring bytes. The chance that 32 random bytes have so few distinct values is 2^-68.
 */
const VALUES_MAX = 13
/**
 * A secret is refused if this many of its consecutive bytes also occur in public data. The chance that 32 random
 * bytes share such a run with a whole transaction is 2^-48.
 */
const RUN = 8

/**
 * Refuses a note secret that is clearly not random, or that consists of public data. Anyone who knows the secret can
 * test which recipient a deposit is for. This check can't detect a secret that the service reveals elsewhere, or that
 * comes from a predictable generator.
 */
export function checkSecret(
  findings: Findings,
  nk: bigint,
  shown: { readonly message: Uint8Array; readonly addresses: readonly Address[] },
): void {
  const bytes = fieldToBytes(nk)
  const steps = bytes.slice(1).map((byte, index) => byte - (bytes[index] ?? 0))
  findings.demand(
    nk >= END && FIELD_MODULUS - nk >= END && isVaried(bytes) && isVaried(steps),
    'note_secret',
    "the note's secret is not random, so anyone could find out who the deposit is for",
  )
  const reader =
    hexOf(shown.message) + shown.addresses.map((one) => hexOf(addressBytes(one))).join('')
  findings.demand(
    !hasRunOf(reader, bytes) && !hasRunOf(reader, bytes.slice().reverse()),
    'note_secret',
    "the note's secret is made of public data",
  )
}

const isVaried = (bytes: Uint8Array): boolean => new Set(bytes).size > VALUES_MAX

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function hasRunOf(text: string, bytes: Uint8Array): boolean {
  const runs = Array.from({ length: bytes.length - RUN + 1 }, (_, at) =>
    bytes.subarray(at, at + RUN),
  )
  return runs.some((run) => text.includes(hexOf(run)))
}

/**
 * Maximum number of tickets that a new secret is compared with. Without the limit, a busy server would read its whole
 * store for each order.
 */
const TICKETS_MAX = 1_000

/**
 * Compares a new order's secret with up to `TICKETS_MAX` tickets in the caller's store. If two deposits for the same
 * recipient have the same secret, anyone can link them.
 *
 * @throws OrderRefusedError if another order has the same secret.
 */
export async function assertNewSecret(
  { trackingId, ticket }: Pick<VerifiedOrder, 'trackingId' | 'ticket'>,
  tickets: Pick<TicketStore, 'list' | 'read'>,
): Promise<void> {
  if ((await tickets.read(trackingId)) !== undefined) return
  const others = (await tickets.list()).filter((id) => id !== trackingId)
  for (const id of others.slice(-TICKETS_MAX)) {
    const other = await tickets.read(id)
    if (other !== undefined && secretOf(other) === ticket.note.nk) {
      refuse('note_secret', "the note's secret is the same as another order's")
    }
  }
}

function secretOf(ticket: string): bigint | undefined {
  try {
    return decodeTicket(ticket).note.nk
  } catch {
    // A store may contain a text that isn't a ticket. Such a text has no secret to compare.
    return undefined
  }
}
