import { MINTS, DOLLAR_MINT } from '../actors/setting.ts'
import { NATIVE_MINT } from '@sotto/protocol'
import { NULLIFIER_RENT } from '../chain/ledger.ts'
import { ORDER_RENT } from '../chain/program-deposit.ts'
import type { Evidence } from './evidence.ts'
import type { Fail } from './verdict.ts'

/** The total of all money in the run. Only interventions from outside change it. */
export interface Conserved {
  lamports: bigint
  readonly dollars: bigint
}

const now = Infinity

/** Sums every lamport and dollar: in wallets, in vaults, in rents, and burnt as fees. */
export function conservedIn({ chain }: Evidence): Conserved {
  const { ledger } = chain
  let lamports = ledger.burntUntil(now) + ledger.assetOf(NATIVE_MINT, now).held
  for (const wallet of ledger.lamports.keys()) lamports += ledger.lamportsOf(wallet, now)
  for (const key of ledger.orders.keys()) if (ledger.orders.read(key, now)) lamports += ORDER_RENT
  for (const key of ledger.nullifiers.keys()) {
    if (ledger.nullifiers.read(key, now)) lamports += NULLIFIER_RENT
  }
  let dollars = ledger.assetOf(DOLLAR_MINT, now).held
  for (const key of ledger.tokens.keys()) dollars += ledger.tokens.read(key, now)?.balance ?? 0n
  return { lamports, dollars }
}

/** Checks invariant I1 to the base unit. Also checks that no money appeared or disappeared. */
export function checkBooks(evidence: Evidence, before: Conserved, fail: Fail): void {
  const { ledger } = evidence.chain
  const owed = new Map<string, bigint>(MINTS.map((mint) => [mint, 0n]))
  for (const { transaction, failure } of ledger.landed) {
    if (failure !== undefined) continue
    const { message } = transaction
    if (message.kind === 'deposit') {
      const mint = message.terms.destinationMint
      owed.set(mint, (owed.get(mint) ?? 0n) + message.terms.value)
    } else if (message.kind === 'settle') {
      const { payout, fee } = message.settlement
      owed.set(message.mint, (owed.get(message.mint) ?? 0n) - payout - fee)
    }
  }
  for (const mint of MINTS) {
    const book = ledger.assetOf(mint, now)
    if (book.held !== book.owed + book.fees + book.inventory)
      fail('I1: the books equal the vault', mint)
    if (book.owed !== owed.get(mint)) fail('the amount owed is the sum of unsettled notes', mint)
  }
  const after = conservedIn(evidence)
  if (after.lamports !== before.lamports) fail('no money appears or disappears', 'lamports')
  if (after.dollars !== before.dollars) fail('no money appears or disappears', 'dollars')
}
