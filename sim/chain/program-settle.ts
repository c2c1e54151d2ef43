import {
  assetHashOf,
  CLOSE_DELAY_SECONDS,
  NATIVE_MINT,
  NULLIFIER_SECONDS,
  SKEW_SECONDS,
  TIME_GRID_SECONDS,
  type Address,
} from '@sotto/protocol'
import type { Closable } from '../../packages/server/src/ports/settlement-chain.ts'
import { DOMAIN } from './domain.ts'
import { proves } from './quick-proof.ts'
import type { Message } from './transaction.ts'
import { NULLIFIER_RENT, tokenKey, type Ledger } from './ledger.ts'
import { assertThat, credit, giveLamports, takeLamports, TOKEN_ACCOUNT_RENT } from './money.ts'
import { ORDER_RENT, type Moment } from './program-deposit.ts'
import { quickHash } from './quick-hash.ts'

type SettleMessage = Extract<Message, { kind: 'settle' }>

/** The program's `settle` instruction. Returns the amount that the vault paid. */
export function runSettle(
  ledger: Ledger,
  at: Moment,
  { mint, settlement, opensAccount }: SettleMessage,
  payer: Address,
): bigint {
  const { position, unixSeconds: clock } = at
  const { isRefund, nullifier, payee, time, payout, fee, changeLeaf } = settlement
  assertThat(time % TIME_GRID_SECONDS === 0n, 'off_time_grid')
  if (isRefund) assertThat(time <= clock && clock <= time + SKEW_SECONDS, 'refund_time') // I5
  else assertThat(clock <= time && time <= clock + SKEW_SECONDS, 'delivery_time') // I5
  const isTurned = mint === NATIVE_MINT && ledger.turned.read(payee, position) === true
  assertThat(!isTurned, 'payee_not_payable')
  const root = ledger.rootAt(settlement.root, position)
  assertThat(root !== undefined, 'unknown_root')
  assertThat(proves(settlement, root, assetHashOf(quickHash, DOMAIN, mint)), 'proof_invalid') // I3
  const key = nullifier.toString(16)
  const existing = ledger.nullifiers.read(key, position)
  assertThat(existing === undefined || existing === null, 'nullifier_exists') // I2
  takeLamports(ledger, position, payer, NULLIFIER_RENT)
  ledger.nullifiers.write(key, position, { rentPayer: payer, settledAt: clock })
  const before = ledger.assetOf(mint, position)
  assertThat(before.owed >= payout + fee, 'owed_short')
  ledger.assets.write(mint, position, {
    held: before.held - payout,
    owed: before.owed - payout - fee,
    fees: before.fees + fee,
    inventory: before.inventory,
  })
  if (mint !== NATIVE_MINT && opensAccount)
    makeTokenAccount(ledger, position, tokenKey(mint, payee), payer)
  credit(ledger, position, { mint, wallet: payee, amount: payout })
  ledger.append({ ...at, leaf: changeLeaf })
  return payout
}

/** Creates the payee's token account if it doesn't exist. */
function makeTokenAccount(ledger: Ledger, position: number, key: string, payer: Address): void {
  const existing = ledger.tokens.read(key, position)
  if (existing !== undefined && existing !== null) return
  takeLamports(ledger, position, payer, TOKEN_ACCOUNT_RENT)
  giveLamports(ledger, position, `token-account-rent ${payer}`, TOKEN_ACCOUNT_RENT)
  ledger.tokens.write(key, position, { balance: 0n, isBlocked: false })
}

/**
 * The instructions `close_order` and `close_nullifier`. Closes either all given accounts or none. Each account's rent
 * goes back to the wallet that paid it.
 */
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
