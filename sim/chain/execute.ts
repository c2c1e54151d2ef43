import type { Ledger } from './ledger.ts'
import { Refused, takeLamports } from './money.ts'
import { runDeposit, type Moment } from './program-deposit.ts'
import { runClose, runSettle } from './program-settle.ts'
import { feeOf, type Transaction } from './transaction.ts'

export interface Execution {
  readonly failure: string | undefined
  readonly paid: bigint
  readonly hasOpened: boolean
}

/**
 * Runs a transaction completely. If the transaction fails, charges only its fee. Returns undefined if the payer can't
 * pay the fee, because then no leader would include the transaction.
 */
export function execute(
  ledger: Ledger,
  at: Moment,
  transaction: Transaction,
): Execution | undefined {
  const { position } = at
  const fee = feeOf(transaction)
  if (ledger.lamportsOf(transaction.feePayer, position) < fee) return undefined
  try {
    payFee(ledger, position, transaction.feePayer, fee)
    const rents = ledger.rentsPaidBy(transaction.feePayer, 'token accounts')
    const paid = run(ledger, at, transaction)
    const hasOpened = ledger.rentsPaidBy(transaction.feePayer, 'token accounts') > rents
    return { failure: undefined, paid, hasOpened }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    ledger.revert(position - 1)
    payFee(ledger, position, transaction.feePayer, fee)
    return { failure: error.message, paid: 0n, hasOpened: false }
  }
}

/** The reason why a transaction would fail now; undefined if it would succeed. Changes nothing. */
export function failureNow(
  ledger: Ledger,
  at: Moment,
  transaction: Transaction,
): string | undefined {
  const execution = execute(ledger, at, transaction)
  ledger.revert(at.position - 1)
  return execution === undefined ? 'payer_short' : execution.failure
}

function payFee(ledger: Ledger, position: number, payer: string, fee: bigint): void {
  takeLamports(ledger, position, payer, fee)
  ledger.burnt.write('all', position, ledger.burntUntil(position) + fee)
}

function run(ledger: Ledger, at: Moment, { message, feePayer }: Transaction): bigint {
  switch (message.kind) {
    case 'deposit':
      runDeposit(ledger, at, message.terms)
      return 0n
    case 'settle':
      return runSettle(ledger, at, message, feePayer)
    case 'close':
      runClose(ledger, at, message.closable)
      return 0n
    case 'flood':
      ledger.flood(at, message.leaves)
      return 0n
  }
}
