import { NATIVE_MINT } from '@sotto/protocol'
import { statusOf } from '../store/memory-database.ts'
import { isFinal } from '../../packages/server/src/domain/order-state.ts'
import type { BalanceOwner } from '../actors/balance-owner.ts'
import type { Customer } from '../actors/customer.ts'
import {
  DOLLAR_MINT,
  INVENTORY,
  MINTS,
  SENDER_DOLLARS,
  SENDER_LAMPORTS,
} from '../actors/setting.ts'
import { ORDER_RENT } from '../chain/program-deposit.ts'
import { feeOf } from '../chain/transaction.ts'
import { tokenKey } from '../chain/ledger.ts'
import type { World } from '../run/world.ts'
import { checkBalance, move, type Flows, type Vaults } from './final-balances.ts'
import { notesOf, truthOf } from './notes.ts'
import type { Stragglers } from './stragglers.ts'

/**
 * Checks the end of a run, after all faults have ended. Every order must be final, except those in `stragglers`.
 * Payments in `held` may stay open. Every wallet and vault must hold the amount that follows from the orders' statuses.
 * The check computes these amounts from the orders, not from the chain's books.
 */
export function finalCheck(
  world: World,
  stragglers: Stragglers,
  held: ReadonlySet<string> = new Set(),
): void {
  const { fail } = world.watch
  checkPaymentsEnd(world, held)
  const flows: Flows = new Map()
  const vaults = new Map(
    MINTS.map((mint) => [mint as string, { owed: 0n, fees: 0n, inventory: INVENTORY }]),
  )
  const notes = notesOf(world)
  for (const [key, order] of world.memory.database.orders) {
    const status = statusOf(order)
    const isWaiting = stragglers.get(key) === status
    if (!isFinal(status) && !isWaiting) fail('every order ends', status)
    const { deposits, settlements } = truthOf(world, key, notes.get(key), Infinity)
    const isPaid = status === 'delivered' || status === 'refunded'
    if (deposits.length !== (isPaid || isWaiting ? 1 : 0))
      fail('the status of an order matches its deposit', status)
    if (notes.has(key) && settlements.length !== (isPaid ? 1 : 0))
      fail('the status of an order matches its settlement', status)
    const owner = world.owners.find((one) => one.order?.key === key)
    const { sender: from } = order
    const customer = world.customers.find((one) => one.sender === from)
    const mayBeMissed = customer?.request.crowdMissed === 'refund'
    if (world.isCalm && status === 'refunded' && owner === undefined && !mayBeMissed)
      fail('an order that can be delivered is delivered', status)
    if (!isPaid && !isWaiting) continue
    const { sourceMint, destinationMint, amountIn, amountOut, value, partnerFee, sender } = order
    const isSend = sourceMint === destinationMint
    move(flows, sourceMint, sender, -amountIn)
    move(flows, sourceMint, world.parties.partner, partnerFee)
    if (owner !== undefined) {
      checkBalance(world, owner, { status, value }, { flows, vaults })
      continue
    }
    const source = vaults.get(sourceMint)
    const destination = vaults.get(destinationMint)
    if (source === undefined || destination === undefined) continue
    if (!isSend) {
      source.inventory += amountIn - partnerFee
      destination.inventory -= value
    }
    if (isWaiting) {
      destination.owed += value
    } else if (status === 'refunded') {
      move(flows, destinationMint, sender, value)
    } else {
      destination.fees += value - amountOut
      if (customer !== undefined) move(flows, destinationMint, customer.recipient, amountOut)
    }
  }
  checkVaults(world, vaults)
  for (const customer of world.customers) checkCustomer(world, customer, flows)
  for (const owner of world.owners) checkOwner(world, owner, flows)
}

/** Checks that every payment has ended, except those in `held`. */
function checkPaymentsEnd({ memory, rival, watch }: World, held: ReadonlySet<string>): void {
  for (const { database } of [memory, rival?.stage.memory].flatMap((one) => one ?? [])) {
    for (const [key, payment] of database.payments) {
      const isOpen = !isFinal(statusOf(payment)) && !held.has(key)
      if (isOpen) watch.fail('every payment ends', statusOf(payment))
    }
  }
}

function checkVaults(world: World, vaults: Vaults): void {
  for (const [mint, { owed, fees, inventory }] of vaults) {
    const book = world.chain.ledger.assetOf(mint, Infinity)
    const isExact =
      book.owed === owed &&
      book.fees === fees &&
      book.inventory === inventory &&
      book.held === owed + fees + inventory
    if (!isExact) world.watch.fail('every vault is exact', mint)
  }
}

/** Checks the wallets of a balance's owner and payees. */
function checkOwner(world: World, { sender, payees }: BalanceOwner, flows: Flows): void {
  const { ledger } = world.chain
  const { fail } = world.watch
  const flow = (mint: string, wallet: string) => flows.get(tokenKey(mint, wallet)) ?? 0n
  const dollars = (wallet: string) =>
    ledger.tokens.read(tokenKey(DOLLAR_MINT, wallet), Infinity)?.balance ?? 0n
  const lamports = SENDER_LAMPORTS + flow(NATIVE_MINT, sender) - costsOf(world, sender)
  if (ledger.lamportsOf(sender, Infinity) !== lamports) fail('every wallet is exact', 'owner SOL')
  if (dollars(sender) !== SENDER_DOLLARS + flow(DOLLAR_MINT, sender)) {
    fail('every wallet is exact', 'owner dollars')
  }
  for (const [place, payee] of payees.entries()) {
    const before = place === 0 ? 1_000_000n : 0n
    if (ledger.lamportsOf(payee, Infinity) !== before + flow(NATIVE_MINT, payee)) {
      fail('every wallet is exact', 'payee SOL')
    }
    if (dollars(payee) !== flow(DOLLAR_MINT, payee)) fail('every wallet is exact', 'payee dollars')
  }
}

function checkCustomer(world: World, customer: Customer, flows: Flows): void {
  const { ledger } = world.chain
  const flow = (mint: string, wallet: string) => flows.get(tokenKey(mint, wallet)) ?? 0n
  // Before a sender closes an account, the sender moves its balance to another account, which counts too. That balance
  // counts too.
  const dollars = (wallet: string) => {
    const key = tokenKey(DOLLAR_MINT, wallet)
    const balanceOf = (account: string) => ledger.tokens.read(account, Infinity)?.balance ?? 0n
    return balanceOf(key) + balanceOf(`${key} elsewhere`)
  }
  const { sender, recipient, isExpected } = customer
  const { fail } = world.watch
  const spent = costsOf(world, sender)
  const lamports = SENDER_LAMPORTS + flow(NATIVE_MINT, sender) - spent
  if (ledger.lamportsOf(sender, Infinity) !== lamports) fail('every wallet is exact', 'sender SOL')
  if (dollars(sender) !== SENDER_DOLLARS + flow(DOLLAR_MINT, sender)) {
    fail('every wallet is exact', 'sender dollars')
  }
  const before = isExpected ? 1_000_000n : 0n
  if (ledger.lamportsOf(recipient, Infinity) !== before + flow(NATIVE_MINT, recipient)) {
    fail('every wallet is exact', 'recipient SOL')
  }
  if (dollars(recipient) !== flow(DOLLAR_MINT, recipient)) {
    fail('every wallet is exact', 'recipient dollars')
  }
}

/** The lamports that a sender spent: transaction fees, and rent that hasn't been returned. */
function costsOf(world: World, sender: string): bigint {
  const { ledger } = world.chain
  let spent = ledger.rentsPaidBy(sender)
  for (const { transaction } of ledger.landed) {
    if (transaction.feePayer !== sender) continue
    spent += feeOf(transaction)
  }
  for (const key of ledger.orders.keys()) {
    if (ledger.orders.read(key, Infinity)?.sender === sender) spent += ORDER_RENT
  }
  return spent
}
