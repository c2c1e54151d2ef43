import type { BalanceState, ShownBalance, ShownNote } from '@sotto/sdk/balance'
import type { Token } from '@sotto/sdk/server'
import type { BalanceRun } from '../../model/balance/balance-run.ts'
import type { PaymentValues } from '../../model/balance/payment-form.ts'
import type { BalanceBook, Draft } from '../../model/balance/use-balance-book.ts'
import type { PageConfig } from '../../model/service.ts'
import type { ConnectedWallet } from '../../model/wallets.ts'

/** The props of every view of balances. */
export interface BalanceProps {
  readonly book: BalanceBook
  readonly config: PageConfig
  /** Every listed asset. */
  readonly tokens: readonly Token[]
  /** The assets that a new balance can be opened with. */
  readonly sendable: readonly Token[]
  readonly wallet: ConnectedWallet | undefined
  readonly connected: (wallet: ConnectedWallet) => void
}

/** The props of a view of the open balance. */
export interface OpenProps extends BalanceProps {
  readonly run: BalanceRun
  readonly draft: Draft | undefined
}

/** The props of a view of the open balance, once the remaining amount has been read from the chain. */
export interface ReadyProps extends OpenProps {
  readonly state: BalanceState
  /** The time at which `state` was read, in milliseconds of the browser's clock. */
  readonly readMs: number
  readonly stored: ShownBalance
  /** The values that the person has typed for a payment. */
  readonly values: PaymentValues
  readonly change: (part: Partial<PaymentValues>) => void
}

/** The props of a view that prepares a payment. */
export interface PaymentProps extends ReadyProps {
  readonly note: ShownNote
  /** The balance's asset. */
  readonly token: Token | undefined
}
