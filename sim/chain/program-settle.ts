import {
  CLOSE_DELAY_SECONDS,
  hashAddress,
  MAX_DELIVERY_SECONDS,
  MAX_DEPOSIT_SECONDS,
  NATIVE_MINT,
  REFUND_WINDOW_SECONDS,
  ROOTS,
  SKEW_SECONDS,
  TIME_GRID_SECONDS,
  type Address,
} from '@sotto/protocol'
import type { Closable } from '../../packages/server/src/ports/settlement-chain.ts'
import { proves } from './quick-proof.ts'
import type { Message } from './transaction.ts'
import { NULLIFIER_RENT, tokenKey, type Ledger } from './ledger.ts'
import { assertThat, credit, giveLamports, takeLamports, TOKEN_ACCOUNT_RENT } from './money.ts'
import { ORDER_RENT, type Moment } from './program-deposit.ts'
import { quickHash } from './quick-hash.ts'

/** How long a Nullifier exists, counted from its settlement. */
export const NULLIFIER_SECONDS =
  MAX_DEPOSIT_SECONDS +
  MAX_DELIVERY_SECONDS +
  REFUND_WINDOW_SECONDS +
  SKEW_SECONDS +
  CLOSE_DELAY_SECONDS

type SettleMessage = Extract<Message, { kind: 'settle' }>

/** `settle` as the program does it. Returns what the vault paid. */
export function runSettle(
  ledger: Ledger,
  { position, unixSeconds: clock }: Moment,
  { mint, settlement, opensAccount }: SettleMessage,
  payer: Address,
): bigint {
  const { isRefund, nullifier, payee, time } = settlement
  assertThat(time % TIME_GRID_SECONDS === 0n, 'off_time_grid')
  if (isRefund)
    assertThat(time <= clock && clock <= time + SKEW_SECONDS, 'refund_time') // I5
  else assertThat(clock <= time, 'delivery_time_passed') // I5
  const isTurned = mint === NATIVE_MINT && ledger.turned.read(payee, position) === true
  assertThat(!isTurned, 'payee_not_payable')
  const root = rootAt(ledger, position, settlement.root.index)
  assertThat(root !== undefined, 'unknown_root')
  assertThat(proves(settlement, root, hashAddress(quickHash, mint)), 'proof_invalid') // I3
  const key = nullifier.toString(16)
  const existing = ledger.nullifiers.read(key, position)
  assertThat(existing === undefined || existing === null, 'nullifier_exists') // I2
  takeLamports(ledger, position, payer, NULLIFIER_RENT)
  ledger.nullifiers.write(key, position, { rentPayer: payer, settledAt: clock })
  const before = ledger.assetOf(mint, position)
  assertThat(before.owed >= settlement.amount, 'owed_short')
  const back = settlement.feeBack < before.fees ? settlement.feeBack : before.fees
  const paid = settlement.amount + back
  ledger.assets.write(mint, position, {
    held: before.held - paid,
    owed: before.owed - settlement.amount,
    fees: before.fees - back,
    inventory: before.inventory,
  })
  if (mint !== NATIVE_MINT && opensAccount)
    makeTokenAccount(ledger, position, tokenKey(mint, payee), payer)
  credit(ledger, position, { mint, wallet: payee, amount: paid })
  return paid
}

/** A layout that opens the payee's account does so only if there is none. */
function makeTokenAccount(ledger: Ledger, position: number, key: string, payer: Address): void {
  const existing = ledger.tokens.read(key, position)
  if (existing !== undefined && existing !== null) return
  takeLamports(ledger, position, payer, TOKEN_ACCOUNT_RENT)
  giveLamports(ledger, position, `token-account-rent ${payer}`, TOKEN_ACCOUNT_RENT)
  ledger.tokens.write(key, position, { balance: 0n, isBlocked: false })
}

/** The root in a slot of the ring, as of this position. */
function rootAt(ledger: Ledger, position: number, place: number): bigint | undefined {
  const newest = ledger.leavesAt(position) - 1
  for (let index = newest; index >= 0 && index > newest - ROOTS; index -= 1) {
    if (index % ROOTS === place) return ledger.leaves[index]?.root
  }
  return undefined
}

/** `close_order` and `close_nullifier`: all of them or none; rent goes back to its payer. */
export function runClose(ledger: Ledger, at: Moment, closable: readonly Closable[]): void {
  for (const { kind, account, rentPayer } of closable) {
    if (kind === 'order') {
      const order = ledger.orders.read(account, at.position)
      assertThat(order !== undefined && order !== null, 'no_such_order')
      assertThat(at.unixSeconds >= order.deadline + CLOSE_DELAY_SECONDS, 'too_early')
      assertThat(rentPayer === order.sender, 'wrong_rent_payer')
      ledger.orders.write(account, at.position, null)
      giveLamports(ledger, at.position, rentPayer, ORDER_RENT)
    } else {
      const nullifier = ledger.nullifiers.read(account, at.position)
      assertThat(nullifier !== undefined && nullifier !== null, 'no_such_nullifier')
      assertThat(at.unixSeconds >= nullifier.settledAt + NULLIFIER_SECONDS, 'too_early')
      assertThat(rentPayer === nullifier.rentPayer, 'wrong_rent_payer')
      ledger.nullifiers.write(account, at.position, null)
      giveLamports(ledger, at.position, rentPayer, NULLIFIER_RENT)
    }
  }
}
