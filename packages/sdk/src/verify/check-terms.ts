import {
  addressBytes,
  ceilToGrid,
  MAX_DEPOSIT_SECONDS,
  TIME_GRID_SECONDS,
  type Address,
  type DepositData,
  type DepositTerms,
  type Point,
  type Ticket,
  type Amount,
  type UnixSeconds,
} from '@sotto/protocol'
import { isSameBytes } from './decode-order-message.ts'
import type { ExpectedBalance } from './expected-transfer.ts'
import type { Findings } from './refusal.ts'

/** Adds a finding for each term of the deposit that differs from the expected term. */
export function checkTerms(findings: Findings, found: DepositData, terms: DepositTerms): void {
  const isSwap = terms.sourceMint !== terms.destinationMint
  const demand = findings.demand.bind(findings)
  demand(isSameBytes(found.orderId, terms.orderId), 'order_id', 'the deposit is for another order')
  demand(found.sender === terms.sender, 'sender', 'the deposit debits another wallet')
  demand(found.isSwap === isSwap, 'asset', 'the deposit is for other assets')
  demand(found.amountIn === terms.amountIn, 'amount_in', 'the deposit debits another amount')
  demand(found.value === terms.value, 'value', 'the note does not have the agreed value')
  demand(
    found.partnerFee === terms.partnerFee,
    'partner',
    "the partner's share is not the quoted share",
  )
  demand(found.deadline === terms.deadline, 'deadline', 'the deposit has another deadline')
  demand(
    found.validUntil === terms.validUntil && found.validUntil <= found.deadline,
    'valid_until',
    'the authorisation expires at another time',
  )
  demand(
    found.inner === terms.inner,
    'commitment',
    "the ticket does not open the note's commitment to recipient, amount and expiry",
  )
}

/** Checks the note's value. A note that is worth less than the payout can't be delivered, but only refunded. */
export function checkValue(findings: Findings, value: Amount, amountOut: Amount): void {
  findings.demand(
    value >= amountOut,
    'value',
    'the note is worth less than the recipient should get',
  )
}

/** The longest allowed time between a transfer's deadline and the expiry of its note, in seconds. */
const TRANSFER_LIFE_SECONDS = 86_400n

/** The earliest and the latest second at which the note may expire. */
function lifeOf(
  deadline: UnixSeconds,
  balance: ExpectedBalance | undefined,
): readonly [bigint, bigint] {
  if (balance === undefined) return [deadline, deadline + TRANSFER_LIFE_SECONDS]
  const end = ceilToGrid(deadline + balance.seconds)
  return [end, end]
}

/**
 * Checks the deadline as the program would for a deposit that lands now. Also checks the note's expiry, which the
 * program can't see.
 */
export function checkTimes(
  findings: Findings,
  deadline: UnixSeconds,
  expiry: UnixSeconds,
  clock: UnixSeconds,
  balance?: ExpectedBalance,
): void {
  const [earliest, latest] = lifeOf(deadline, balance)
  findings.demand(
    clock <= deadline && deadline <= clock + MAX_DEPOSIT_SECONDS,
    'deadline',
    'the deadline has passed, or is later than the program allows',
  )
  findings.demand(
    deadline % TIME_GRID_SECONDS === 0n,
    'deadline',
    'the deadline is not on a ten-minute boundary, which makes the deposit recognisable',
  )
  findings.demand(
    earliest <= expiry && expiry <= latest,
    'expiry',
    balance === undefined
      ? 'the note expires before the deadline or more than a day after it'
      : 'the balance ends at another time than was agreed',
  )
}

/** The recipient, the recipient's amount and the note's expiry. The deposit shows none of them. */
export interface DeliveryTerms {
  readonly recipient: Address
  /** Base units of the destination. */
  readonly amountOut: Amount
  /** Seconds since 1970. */
  readonly expiry: UnixSeconds
  /** The public key of a balance's owner; undefined for a transfer. */
  readonly owner?: Point | undefined
}

/**
 * Checks that the ticket opens exactly this note. The sender needs a correct ticket to get the money back without the
 * service.
 */
export function checkTicket(
  findings: Findings,
  { program, orderId, note }: Ticket,
  programId: Address,
  terms: DepositTerms,
  delivery: DeliveryTerms,
): void {
  const { claim } = note
  const transfer = claim.kind === 'transfer' ? claim : undefined
  const demand = (condition: boolean, what: string) =>
    findings.demand(condition, 'ticket', `the ticket is for another ${what}`)
  demand(program === programId, 'program')
  demand(isSameBytes(orderId, terms.orderId), 'order')
  if (delivery.owner === undefined) {
    demand(transfer?.recipient === delivery.recipient, 'recipient')
    demand(transfer?.amountOut === delivery.amountOut, 'amount')
  } else {
    const owner = claim.kind === 'balance' ? claim.owner : undefined
    demand(owner?.x === delivery.owner.x && owner.y === delivery.owner.y, 'owner')
  }
  demand(note.sender === terms.sender, 'sender')
  demand(note.mint === terms.destinationMint, 'asset')
  demand(note.value === terms.value, 'value')
  demand(note.deadline === terms.deadline, 'deadline')
  demand(note.expiry === delivery.expiry, 'expiry')
}

/**
 * Checks the payload. It is encrypted for the service, so the client can't check its content. But the client refuses a
 * payload that contains the recipient's address in plain bytes, because it would publicly link sender and recipient.
 */
export function checkPayload(findings: Findings, payload: Uint8Array, recipient: Address): void {
  const shown = addressBytes(recipient)
  let isShown = false
  for (let at = 0; at + shown.length <= payload.length; at += 1) {
    isShown ||= isSameBytes(payload.subarray(at, at + shown.length), shown)
  }
  findings.demand(!isShown, 'payload', 'the deposit shows the recipient to everyone')
}
