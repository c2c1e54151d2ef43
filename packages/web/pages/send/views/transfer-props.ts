import type { Token } from '@sotto/sdk/server'
import type { PageConfig } from '../model/service.ts'
import type { Phase } from '../model/transfer-phase.ts'
import type { TransferRun } from '../model/transfer-run.ts'
import type { BalanceBook } from '../model/balance/use-balance-book.ts'
import type { ConnectedWallet } from '../model/wallets.ts'

/** The properties of every view of a transfer. */
export interface TransferProps {
  readonly config: PageConfig
  /** Every listed asset. */
  readonly tokens: readonly Token[]
  /** The assets that new transfers can pay with. */
  readonly sendable: readonly Token[]
  readonly wallet: ConnectedWallet | undefined
  readonly connected: (wallet: ConnectedWallet) => void
  readonly phase: Phase
  readonly run: TransferRun
  readonly book: BalanceBook
  /** Switches the page to the balances. */
  readonly showBalances: () => void
}
