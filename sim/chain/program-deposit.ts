import {
  leafOf,
  MAX_DEPOSIT_SECONDS,
  TIME_GRID_SECONDS,
  type DepositTerms,
  type UnixSeconds,
} from '@sotto/protocol'
import { rentMinimum } from '@sotto/protocol'
import { DOMAIN } from './domain.ts'
import type { Ledger } from './ledger.ts'
import { assertThat, credit, debit, takeLamports } from './money.ts'
import { LAMPORTS_PER_BYTE } from './rent.ts'
import { quickHash } from './quick-hash.ts'
import { hex } from './transaction.ts'

export const ORDER_RENT = rentMinimum(LAMPORTS_PER_BYTE, 56n)

/** When a transaction runs: its place among all transactions, and the chain's clock. */
export interface Moment {
  readonly position: number
  readonly unixSeconds: UnixSeconds
}

/**
 * The program's `deposit` instruction. The authoriser's signature isn't checked, because settlement doesn't depend on
 * it.
 */
export function runDeposit(ledger: Ledger, at: Moment, terms: DepositTerms): void {
  const { position } = at
  assertTimes(at.unixSeconds, terms)
  const key = hex(terms.orderId)
  const existing = ledger.orders.read(key, position)
  assertThat(existing === undefined || existing === null, 'order_exists') // I4
  const { sender, sourceMint, destinationMint, amountIn, value, partnerFee } = terms
  const kept = amountIn - partnerFee
  assertThat(value > 0n, 'amount_mismatch')
  if (sourceMint === destinationMint) {
    assertThat(kept === value, 'amount_mismatch')
    book(ledger, position, sourceMint, { held: kept, owed: value, inventory: 0n })
  } else {
    const available = ledger.assetOf(destinationMint, position).inventory
    assertThat(available >= value, 'insufficient_inventory') // I6
    book(ledger, position, sourceMint, { held: kept, owed: 0n, inventory: kept })
    book(ledger, position, destinationMint, { held: 0n, owed: value, inventory: -value })
  }
  debit(ledger, position, { mint: sourceMint, wallet: sender, amount: amountIn })
  if (terms.partnerAccount !== undefined) {
    const share = { mint: sourceMint, wallet: terms.partnerAccount, amount: partnerFee }
    credit(ledger, position, share)
  }
  takeLamports(ledger, position, sender, ORDER_RENT)
  const leaf = leafOf(quickHash, DOMAIN, { ...terms, mint: destinationMint })
  const leafIndex = ledger.append({ ...at, leaf, orderKey: key })
  ledger.orders.write(key, position, { sender, deadline: terms.deadline, leafIndex })
}

// Checks the deposit's times (invariant I5).
function assertTimes(clock: bigint, { deadline, validUntil }: DepositTerms): void {
  assertThat(clock <= deadline, 'deadline_passed')
  assertThat(deadline <= clock + MAX_DEPOSIT_SECONDS, 'deadline_too_far')
  assertThat(clock <= validUntil && validUntil <= deadline, 'authorisation_expired')
  assertThat(deadline % TIME_GRID_SECONDS === 0n, 'off_time_grid')
}

function book(
  ledger: Ledger,
  position: number,
  mint: string,
  change: { held: bigint; owed: bigint; inventory: bigint },
): void {
  const before = ledger.assetOf(mint, position)
  ledger.assets.write(mint, position, {
    ...before,
    held: before.held + change.held,
    owed: before.owed + change.owed,
    inventory: before.inventory + change.inventory,
  })
}
