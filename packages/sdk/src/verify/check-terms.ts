import {
  addressBytes,
  MAX_DELIVERY_SECONDS,
  MAX_DEPOSIT_SECONDS,
  TIME_GRID_SECONDS,
  type Address,
  type DepositData,
  type DepositTerms,
  type Ticket,
} from '@sotto/protocol'
import { isSameBytes } from './decode-order-message.ts'
import type { Findings } from './refusal.ts'

/** Reports each term of the deposit that differs from the expected one. */
export function checkTerms(findings: Findings, found: DepositData, terms: DepositTerms): void {
  const isSwap = terms.sourceMint !== terms.destinationMint
  const demand = findings.demand.bind(findings)
  demand(isSameBytes(found.orderId, terms.orderId), 'order_id', 'the deposit is for another order')
  demand(found.sender === terms.sender, 'sender', 'the deposit debits another wallet')
  demand(found.isSwap === isSwap, 'asset', 'the deposit is for other assets')
  demand(found.amountIn === terms.amountIn, 'amount_in', 'the deposit debits another amount')
  demand(found.amountOut === terms.amountOut, 'amount_out', 'the note pays another amount')
  demand(found.fee === terms.fee, 'fee', "the deposit's fee is not the quoted one")
  demand(
    found.partnerFee === terms.partnerFee,
    'partner',
    "the partner's share is not the quoted one",
  )
  demand(found.deadline === terms.deadline, 'deadline', 'the deposit has another deadline')
  demand(found.expiry === terms.expiry, 'expiry', 'the note expires at another time')
  demand(
    found.validUntil === terms.validUntil && found.validUntil <= found.deadline,
    'valid_until',
    'the authorisation expires at another time',
  )
  demand(
    found.inner === terms.inner,
    'commitment',
    "the ticket does not open the note's commitment to the recipient",
  )
}

/** Checks the times as the program would check a deposit that lands now. */
export function checkTimes(findings: Findings, terms: DepositTerms, clock: bigint): void {
  const { deadline, expiry } = terms
  findings.demand(
    clock <= deadline && deadline <= clock + MAX_DEPOSIT_SECONDS,
    'deadline',
    'the deadline has passed, or is later than the program allows',
  )
  findings.demand(
    deadline <= expiry &&
      expiry <= deadline + MAX_DELIVERY_SECONDS &&
      expiry % TIME_GRID_SECONDS === 0n,
    'expiry',
    'the note expires later than the program allows, or at a time that makes it recognisable',
  )
}

/** The ticket must open exactly this note: it gets the money back without the service. */
export function checkTicket(
  findings: Findings,
  { program, orderId, note }: Ticket,
  programId: Address,
  recipient: Address,
  terms: DepositTerms,
): void {
  const isSend = terms.sourceMint === terms.destinationMint
  const demand = (condition: boolean, what: string) =>
    findings.demand(condition, 'ticket', `the ticket is for another ${what}`)
  demand(program === programId, 'program')
  demand(isSameBytes(orderId, terms.orderId), 'order')
  demand(note.recipient === recipient, 'recipient')
  demand(note.sender === terms.sender, 'sender')
  demand(note.mint === terms.destinationMint, 'asset')
  demand(note.amountOut === terms.amountOut, 'amount')
  demand(note.feeBack === (isSend ? terms.fee : 0n), 'fee to give back')
  demand(note.expiry === terms.expiry, 'expiry')
}

/**
 * The payload is encrypted for the service, so its content can't be checked; but a recipient in plain bytes
 * would publicly link both sides.
 */
export function checkPayload(findings: Findings, payload: Uint8Array, recipient: Address): void {
  const shown = addressBytes(recipient)
  let isShown = false
  for (let at = 0; at + shown.length <= payload.length; at += 1) {
    isShown ||= isSameBytes(payload.subarray(at, at + shown.length), shown)
  }
  findings.demand(!isShown, 'payload', 'the deposit shows the recipient to everyone')
}
