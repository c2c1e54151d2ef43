import type { Order, QuoteRequest } from '@sotto/contract'
import {
  decodeDeposit,
  fieldToBytes,
  NATIVE_MINT,
  ownerOf,
  packOwner,
  type Address,
  type DepositData,
} from '@sotto/protocol'
import {
  decompileTransactionMessage,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type AccountMeta,
  type Instruction,
} from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMigratedPglite } from '../migrated-pglite.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { orderBody, order, quoteOf, solSend } from './partner-client.ts'

/** Number of deposits of each kind. With fewer deposits, a random byte could have the same value in all of them. */
const EACH = 6
const GRID = 600n
const EPOCH_BYTES = 4
const DAY = 86_400

/** One deposit in the form in which the service gives it to a wallet for signing. */
interface Given {
  readonly bytes: number
  /** The number of accounts, the number of signers, and the number of read-only accounts. */
  readonly header: object
  readonly programs: readonly Address[]
  /**
   * For each instruction, its accounts with their rights. The Order account is listed by its name, because its address
   * is random.
   */
  readonly accounts: readonly (readonly string[])[]
  readonly data: readonly Uint8Array[]
  readonly deposit: DepositData
}

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack(openMigratedPglite)
})
afterAll(() => stack.close())

function readDeposit({ transaction }: Order): Given {
  const wire = new Uint8Array(getBase64Encoder().encode(transaction))
  const { messageBytes } = getTransactionDecoder().decode(wire)
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes)
  const listed: readonly Instruction[] = decompileTransactionMessage(compiled).instructions
  const instructions = listed.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
    program: programAddress,
    accounts,
    data: new Uint8Array(data),
  }))
  const last = instructions.at(-1)!
  const deposit = decodeDeposit(
    last.data,
    last.accounts.map(({ address }) => address),
  )
  if (deposit === undefined) throw new Error('the last instruction is not a deposit')
  const shown = ({ address, role }: AccountMeta) =>
    `${address === deposit.order ? 'order' : address} ${role}`
  return {
    bytes: wire.length,
    header: { ...compiled.header, accounts: compiled.staticAccounts.length },
    programs: instructions.map(({ program }) => program),
    accounts: instructions.map(({ accounts }) => accounts.map(shown)),
    data: instructions.map(({ data }) => data),
    deposit,
  }
}

async function ordered(request: QuoteRequest): Promise<Given> {
  const { quote } = await quoteOf(stack, request)
  const { balanceKey, balanceSeconds } = request
  const balance = balanceKey === undefined ? {} : { balanceKey, balanceSeconds }
  const answer = await order(stack, { ...orderBody(quote, request), ...balance })
  if (answer.status !== 200) throw new Error(answer.text)
  return readDeposit(answer.body['order'] as Order)
}

/** Orders several deposits of one kind, one after the other. */
async function severalOf(request: () => QuoteRequest): Promise<Given[]> {
  const given: Given[] = []
  while (given.length < EACH) given.push(await ordered(request()))
  return given
}

/** Changes the request to a top-up of a balance with this life, in seconds. */
const asTopUp = (request: QuoteRequest, balanceSeconds: number): QuoteRequest => ({
  ...request,
  recipientAddress: request.senderAddress,
  balanceKey: Buffer.from(packOwner(ownerOf(4_711n))).toString('hex'),
  balanceSeconds,
})

/** The positions at which these byte strings of equal length all have the same byte. */
const constantPlaces = (all: readonly Uint8Array[]): number[] =>
  [...(all[0] ?? [])].flatMap((byte, place) =>
    all.every((bytes) => bytes[place] === byte) ? [place] : [],
  )

/** Everything that deposits of one kind show on the chain, except amounts and random parts. */
function formOf(all: readonly Given[]) {
  const forms = all.map(({ deposit, data, ...rest }) => ({
    ...rest,
    lengths: data.map(({ length }) => length),
    // The last two instructions are excluded, because each order has its own authorisation and its own terms of the
    // deposit.
    others: data.slice(0, -2).map((bytes) => Buffer.from(bytes).toString('hex')),
    isSwap: deposit.isSwap,
    payloadBytes: deposit.payload.length,
    onGrid: [deposit.deadline % GRID, deposit.validUntil % 30n].map(String),
    isValidUntilDeadline: deposit.validUntil === deposit.deadline,
  }))
  const hidden = all.map(({ deposit }) => deposit)
  return {
    forms: [...new Set(forms.map((form) => JSON.stringify(form)))],
    fixed: {
      payload: constantPlaces(hidden.map(({ payload }) => payload.subarray(EPOCH_BYTES))),
      inner: constantPlaces(hidden.map(({ inner }) => fieldToBytes(inner))),
      orderId: constantPlaces(hidden.map(({ orderId }) => orderId)),
    },
  }
}

/**
 * The longest time between two deposits' deadlines, in seconds. If the clock passes a multiple of the grid between two
 * orders, their deadlines differ by 600 seconds.
 */
function deadlinesApart(all: readonly Given[]): number {
  const deadlines = all.map(({ deposit }) => Number(deposit.deadline))
  return Math.max(...deadlines) - Math.min(...deadlines)
}

const FORMS: readonly [string, () => QuoteRequest][] = [
  ['SOL', () => solSend(stack)],
  ['SOL, with the amount out given', () => solSend(stack, { mode: 'exact_out' })],
  [
    'SOL with a partner',
    () => solSend(stack, { feeBps: 50, feeRecipientAddress: stack.partner.address }),
  ],
  ['a token', () => solSend(stack, { sourceAssetId: stack.usdc, destinationAssetId: stack.usdc })],
]

describe.each(FORMS)('a deposit of %s', (_, request) => {
  it('has the same form for a transfer and for a top-up', async () => {
    const transfers = await severalOf(request)
    const expected = formOf(transfers)
    expect(expected.forms).toHaveLength(1)
    expect(expected.fixed).toEqual({ payload: [], inner: [], orderId: [] })
    for (const seconds of [DAY, 30 * DAY]) {
      const topUps = await severalOf(() => asTopUp(request(), seconds))
      expect(formOf(topUps)).toEqual(expected)
      expect(deadlinesApart([...transfers, ...topUps])).toBeLessThanOrEqual(Number(GRID))
    }
  })
})

const withTerms = (one: Given, terms: Partial<DepositData>): Given => ({
  ...one,
  deposit: { ...one.deposit, ...terms },
})
const later = <Seconds extends bigint>(seconds: Seconds, more: bigint) =>
  (seconds + more) as Seconds

/** Simulated faults of a service whose top-up deposits would differ from other deposits. */
const PLANTED: readonly [string, (one: Given, index: number) => Given][] = [
  [
    'an account with other rights',
    (one) => ({ ...one, header: { ...one.header, numSignerAccounts: 3 } }),
  ],
  ['one more program', (one) => ({ ...one, programs: [NATIVE_MINT, ...one.programs] })],
  [
    'one more account',
    (one) => ({ ...one, accounts: one.accounts.map((all) => [...all, 'other 0']) }),
  ],
  ['longer data', (one) => ({ ...one, data: one.data.map((all) => Uint8Array.of(...all, 0)) })],
  ['a longer transaction', (one) => ({ ...one, bytes: one.bytes + 1 })],
  [
    'another instruction in one of several deposits',
    (one, index) =>
      index > 0 ? one : { ...one, data: [Uint8Array.of(2, 0, 0, 0, 0), ...one.data] },
  ],
  ['the flag of a swap', (one) => withTerms(one, { isSwap: true })],
  [
    'a longer payload',
    (one) => withTerms(one, { payload: Uint8Array.of(...one.deposit.payload, 0) }),
  ],
  [
    'a constant byte in the payload',
    (one) => withTerms(one, { payload: one.deposit.payload.with(4, 2) }),
  ],
  [
    'a constant byte in the order’s id',
    (one) => withTerms(one, { orderId: one.deposit.orderId.with(0, 2) }),
  ],
  ['the same commitment in every deposit', (one) => withTerms(one, { inner: 1n })],
  [
    'a deadline that is not a multiple of ten minutes',
    (one, index) => withTerms(one, { deadline: later(one.deposit.deadline, BigInt(index) + 1n) }),
  ],
  [
    'an authorisation that ends earlier',
    (one) => withTerms(one, { validUntil: later(one.deposit.validUntil, -60n) }),
  ],
]

describe('the comparison of deposits would find', () => {
  let given: Given[]
  beforeAll(async () => {
    given = await severalOf(() => solSend(stack))
  })
  it.each(PLANTED)('%s', (_, plant) => {
    expect(formOf(given.map(plant))).not.toEqual(formOf(given))
  })
  it('a deadline that is twenty minutes later than in other orders', () => {
    const shifted = given.map((one) =>
      withTerms(one, { deadline: later(one.deposit.deadline, 2n * GRID) }),
    )
    expect(deadlinesApart([...given, ...shifted])).toBeGreaterThan(Number(GRID))
  })
})
