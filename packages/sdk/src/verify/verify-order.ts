import {
  decodeDeposit,
  ED25519_PROGRAM,
  termsDigest,
  type DepositData,
  type PoolIdentity,
} from '@sotto/protocol'
import { getBase64Encoder, getTransactionDecoder, getTransactionEncoder } from '@solana/kit'
import { readChainFacts, type ChainFacts } from './chain-facts.ts'
import { checkAuthorisation } from './check-authorisation.ts'
import { checkBudget, countBudget, PRIORITY_FEE_MAX } from './check-budget.ts'
import { checkAccounts, checkDeposit, depositOf } from './check-deposit.ts'
import { assertMinOut, checkQuote, readQuotedAmounts } from './check-quote.ts'
import { checkProgram } from './check-program.ts'
import { checkPayload, checkTerms, checkTicket, checkTimes, checkValue } from './check-terms.ts'
import { checkSecret } from './check-secret.ts'
import {
  decodeOrderMessage,
  isSameBytes,
  type DecodedInstruction,
  type DecodedMessage,
} from './decode-order-message.ts'
import { expectedDelivery, expectedTerms, readTicket } from './expected-terms.ts'
import { noteHash } from './poseidon.ts'
import { Findings, refuse } from './refusal.ts'
import { seal, type OrderToVerify, type VerifiedOrder } from './verified-order.ts'

/**
 * Verifies that an order's transaction makes the requested transfer and nothing else. The transaction must contain
 * exactly the expected instructions and accounts, the amounts of the quote, and an authorisation of these terms by the
 * pool's key. The ticket must open the deposit's commitment to recipient and amount.
 *
 * @throws OrderRefusedError that lists the faults. Nothing was signed.
 */
export async function verifyOrder(input: OrderToVerify): Promise<VerifiedOrder> {
  const message = unsignedMessage(input.order.transaction)
  assertRefreshed(input)
  const { programId, expected, rpc } = input
  assertMinOut(expected)
  const facts =
    input.facts ??
    (rpc === undefined
      ? refuse('chain', 'pass an rpc that you chose, or facts that were read from such an rpc')
      : await readChainFacts(rpc, programId, expected.sourceAssetId))
  return verifyMessage(input, facts, message)
}

/**
 * Checks that a refreshed order creates the same Order account and the same leaf as the first order. The Order
 * account can exist only once, so only one of the order's transactions can land. Deadline and ticket together
 * determine the account and the leaf. With a later deadline, the first deposit's account could be closed before the
 * second deposit lands, so both deposits could be paid.
 */
function assertRefreshed({ order, refreshed }: OrderToVerify): void {
  if (refreshed === undefined) {
    refuse(
      'refreshed',
      'set refreshed to null for a new order, or to the earlier order that this order refreshes',
    )
  }
  const isSameOrder =
    refreshed === null ||
    (refreshed.trackingId === order.trackingId &&
      refreshed.recovery === order.recovery &&
      refreshed.expiration === order.expiration)
  if (!isSameOrder) refuse('refreshed', 'the refreshed order is a different order')
}

/** The message of an unsigned transaction. Refuses a transaction that is already signed. */
function unsignedMessage(transaction: string): Uint8Array {
  let decoded
  try {
    const wire = new Uint8Array(getBase64Encoder().encode(transaction))
    decoded = getTransactionDecoder().decode(wire)
    const again = getTransactionEncoder().encode(decoded)
    if (!isSameBytes(again, wire))
      throw new Error('extra or non-canonical bytes in the transaction')
  } catch (cause) {
    return refuse('transaction', 'the transaction cannot be read', cause)
  }
  const isSigned = Object.values(decoded.signatures).some((signature) => signature !== null)
  if (isSigned) return refuse('already_signed', 'the transaction is already signed')
  return new Uint8Array(decoded.messageBytes)
}

interface Parts {
  readonly budget: readonly DecodedInstruction[]
  readonly authorisation: DecodedInstruction
  readonly deposit: DecodedInstruction
  readonly data: DepositData
}

/**
 * The parts of a message: compute budget, authorisation and deposit. Refuses a message that has them in a different
 * sequence, or that contains anything else.
 */
function partsOf({ instructions }: DecodedMessage, programId: string): Parts {
  const count = countBudget(instructions)
  const [authorisation, deposit, ...more] = instructions.slice(count)
  const isShaped = count > 0 && more.length === 0 && authorisation?.program === ED25519_PROGRAM
  if (!isShaped || deposit === undefined) {
    return refuse(
      'instructions',
      "the transaction's instructions are not exactly those of a deposit",
    )
  }
  if (deposit.program !== programId) return refuse('program', 'the deposit calls another program')
  let data: DepositData | undefined
  try {
    const accounts = deposit.accounts.map(({ address }) => address)
    data = decodeDeposit(deposit.data, accounts)
  } catch (cause) {
    return refuse('instructions', 'the deposit cannot be read', cause)
  }
  if (data === undefined) return refuse('instructions', 'the call of the program is not a deposit')
  return { budget: instructions.slice(0, count), authorisation, deposit, data }
}

async function verifyMessage(
  input: OrderToVerify,
  facts: ChainFacts,
  message: Uint8Array,
): Promise<VerifiedOrder> {
  const { order, quote, expected, programId } = input
  const decoded = decodeOrderMessage(message)
  const parts = partsOf(decoded, programId)
  const quoted = readQuotedAmounts(quote)
  const ticket = readTicket(order)
  const poseidon = input.poseidon ?? noteHash
  const sources = { order, expected, quoted, ticket, facts, poseidon }
  const findings = new Findings()
  checkProgram(findings, facts, input)
  checkQuote(findings, input, quoted)
  // If the sender agreed to no partner, the quote's share has no account, so the expected deposit can't be built. Stop
  // here if there are findings.
  findings.settle()
  const terms = await expectedTerms(sources, parts.data)
  const delivery = expectedDelivery(sources)
  checkTerms(findings, parts.data, terms)
  checkValue(findings, terms.value, delivery.amountOut)
  checkTimes(findings, terms.deadline, delivery.expiry, facts.unixSeconds, expected.balance)
  checkTicket(findings, ticket, programId, terms, delivery)
  checkPayload(findings, terms.payload, expected.recipient)
  const { recipient, destinationAssetId } = expected
  const addresses = [recipient, destinationAssetId, programId]
  checkSecret(findings, ticket.note.nk, { message, addresses })
  checkBudget(findings, parts.budget, input.priorityFeeMaxLamports ?? PRIORITY_FEE_MAX)
  const deposit = await depositOf(programId, facts, terms)
  checkDeposit(findings, parts.deposit, deposit)
  checkAccounts(findings, decoded, deposit, expected.sender)
  const identity: PoolIdentity = { program: programId, domain: facts.pool.domain }
  const digest = termsDigest(identity, terms)
  await checkAuthorisation(findings, parts.authorisation, facts.pool, digest)
  findings.settle()
  return seal({
    trackingId: order.trackingId,
    message,
    blockhash: decoded.blockhash,
    lastValidBlockHeight: BigInt(order.lastValidBlockHeight),
    terms,
    delivery,
    ticket,
    recovery: order.recovery,
    program: facts.program,
    verifyAgain: (other) => verifyMessage(input, facts, other),
  })
}
