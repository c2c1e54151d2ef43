import { NATIVE_MINT, NULLIFIER_BYTES, ORDER_BYTES } from '@sotto/protocol'
import { getTokenSize } from '@solana-program/token'
import type { Address, Signature } from '@solana/kit'
import type { Chain } from '../../demo/src/chain.ts'
import { readRentHeld } from '../../demo/src/rent-held.ts'
import type { Status } from '../../demo/src/service-api.ts'
import type { Ground } from '../stage/open-ground.ts'
import type { OpenBalance } from './balances.ts'
import type { Placed } from './customer.ts'

/** An amount that an attacker's own transaction moved, in base units. Fees aren't included. */
export interface Change {
  readonly owner: Address
  readonly mint: Address
  readonly amount: bigint
}

/** An order that has ended. */
export interface Ended extends Placed {
  readonly status: Status
  readonly changes?: readonly Change[]
}

/** Expected balances, by owner and asset, in base units. */
export class Expected {
  readonly #sums = new Map<string, { owner: Address; mint: Address; name: string; sum: bigint }>()

  add(name: string, owner: Address, mint: Address, amount: bigint): void {
    const key = `${owner} ${mint}`
    const entry = this.#sums.get(key)
    if (entry === undefined) this.#sums.set(key, { owner, mint, name, sum: amount })
    else entry.sum += amount
  }

  /** Returns a violation for every wallet whose balance differs from the expected one. */
  async differences(chain: Chain): Promise<string[]> {
    const wrong: string[] = []
    for (const { owner, mint, name, sum } of this.#sums.values()) {
      const held = await chain.balance(owner, mint)
      const asset = mint === NATIVE_MINT ? 'lamports' : 'token units'
      if (held !== sum) wrong.push(`${name} holds ${held} ${asset} instead of ${sum}`)
    }
    return wrong
  }

  get size(): number {
    return this.#sums.size
  }
}

export const TOKEN_ACCOUNT_RENT = 2_039_280n

/** The expected balances of an order's sender and recipient, from its quote and outcome. */
function expectParties(expected: Expected, { setup }: Ground, ended: Ended): void {
  const { drawn, sender, recipient, held, quote, value, status } = ended
  const name = `order ${drawn.index} (${drawn.kind}, ${drawn.fate})`
  const from = (mint: Address, sum: bigint) =>
    expected.add(`the sender of ${name}`, sender.address, mint, sum)
  from(NATIVE_MINT, held.lamports)
  from(setup.usdc, held.tokens)
  for (const { owner, mint, amount } of ended.changes ?? []) {
    expected.add(`a party of ${name}`, owner, mint, amount)
  }
  const isDelivered = status.status === 'delivered'
  const amountOut = BigInt(quote.amountOut)
  const arrived = isDelivered ? amountOut : 0n
  expected.add(`the recipient of ${name}`, recipient, drawn.destination, arrived)
  if (!isDelivered && status.status !== 'refunded') return
  const partnerFee = BigInt(quote.feeBreakdown.partnerFee)
  from(drawn.source, -BigInt(quote.amountIn))
  expected.add('the partner', setup.partner, drawn.source, partnerFee)
  if (!isDelivered) from(drawn.destination, value)
}

const PAGE = 1_000

/** Every transaction that names a wallet, including failed ones. */
async function signaturesOf({ rpc }: Chain, wallet: Address): Promise<Signature[]> {
  const all: Signature[] = []
  for (;;) {
    const before = all.at(-1)
    const range = before === undefined ? {} : { before }
    const config = { commitment: 'confirmed', limit: PAGE, ...range } as const
    const page = await rpc.getSignaturesForAddress(wallet, config).send()
    all.push(...page.map(({ signature }) => signature))
    if (page.length < PAGE) return all
  }
}

/**
 * Expects the amounts that the sender and the payees of a balance should have. If the time was advanced, the rest of
 * the balance has been returned to the sender.
 */
function expectBalance(
  expected: Expected,
  { placed, payments, ...balance }: OpenBalance,
  { isTimeOurs }: Ground,
): void {
  const rest = isTimeOurs ? balance.rest : 0n
  const { sender, held, quote, drawn } = placed
  const name = `the owner of a balance, order ${drawn.index},`
  expected.add(name, sender.address, NATIVE_MINT, held.lamports - BigInt(quote.amountIn) + rest)
  for (const { payee, payout, isPaid } of payments) {
    expected.add(`a payee of order ${drawn.index}`, payee, NATIVE_MINT, isPaid ? payout : 0n)
  }
}

/** Subtracts the costs from the expected balances: the fees that wallets paid, and the rent still in accounts. */
async function expectCosts(
  expected: Expected,
  stage: Ground,
  ended: readonly Ended[],
  balances: readonly OpenBalance[],
) {
  const { chain, setup, program } = stage
  const rent = async (bytes: number) =>
    chain.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send()
  const held = await readRentHeld(chain, program)
  const [orderRent, nullifierRent] = [await rent(ORDER_BYTES), await rent(NULLIFIER_BYTES)]
  const tokenRent = await rent(getTokenSize())
  const placed = [...ended, ...balances.map((balance) => balance.placed)]
  const isSender = new Map(placed.map(({ sender, drawn }) => [sender.address, drawn.index]))
  for (const wallet of [...isSender.keys(), ...setup.relayers]) {
    const index = isSender.get(wallet)
    const name = index === undefined ? 'a relayer' : `the sender of order ${index}`
    for (const signature of await signaturesOf(chain, wallet)) {
      const { payer, fee } = await chain.feeOf(signature)
      if (payer === wallet) expected.add(name, wallet, NATIVE_MINT, -fee)
    }
    const orders = BigInt(held.orders.get(wallet) ?? 0)
    const nullifiers = BigInt(held.nullifiers.get(wallet) ?? 0)
    expected.add(name, wallet, NATIVE_MINT, -orders * orderRent - nullifiers * nullifierRent)
  }
  for (const { drawn, status } of ended) {
    // A relayer pays for a token account only if the order paid for it, because the recipient had no account when the
    // quote was made. In a `closing` attack, the recipient had an account at the quote and closed it later. A refund
    // never opens an account.
    const isPaidFor = drawn.destination !== NATIVE_MINT && drawn.fate !== 'closing'
    if (status.delivery === null || !isPaidFor) continue
    const { payer } = await chain.feeOf(status.delivery.signature)
    expected.add('a relayer', payer, NATIVE_MINT, -tokenRent)
  }
}

/** The expected balance of every wallet of a run. `start` has the initial balances of the partner and the relayers. */
export async function expectBalances(
  stage: Ground,
  start: Expected,
  ended: readonly Ended[],
  balances: readonly OpenBalance[],
): Promise<Expected> {
  for (const one of ended) expectParties(start, stage, one)
  for (const one of balances) expectBalance(start, one, stage)
  await expectCosts(start, stage, ended, balances)
  return start
}

/** The expected balances of the wallets that exist before the first order. */
export async function openingBalances({ chain, setup }: Ground): Promise<Expected> {
  const start = new Expected()
  for (const mint of [NATIVE_MINT, setup.usdc]) {
    start.add('the partner', setup.partner, mint, await chain.balance(setup.partner, mint))
  }
  for (const relayer of setup.relayers) {
    start.add('a relayer', relayer, NATIVE_MINT, await chain.balance(relayer, NATIVE_MINT))
  }
  return start
}
