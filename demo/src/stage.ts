import type { SottoClient } from '@sotto/sdk/server'
import type { Address, KeyPairSigner, Signature } from '@solana/kit'
import type { Chain } from './chain.ts'
import type { Ledger } from './ledger.ts'
import type { Passage } from './passage.ts'
import type { Progress } from './progress.ts'
import type { RentHeld } from './rent-held.ts'
import type { ServiceApi } from './service-api.ts'
import type { Sizes } from './sizes.ts'

/** Everything a scene may use: HTTP, RPC, its wallets, and control over the service. */
export interface Stage {
  readonly api: ServiceApi
  /** The SDK's client for the same interface. Scenes with balances make their payments with it. */
  readonly sdk: SottoClient
  readonly chain: Chain
  readonly rpcUrl: string
  readonly ledger: Ledger
  readonly progress: Progress
  readonly program: Address
  readonly usdc: Address
  readonly sizes: Sizes
  readonly passage: Passage
  /** Makes a wallet that the ledger watches and that initially holds this much. */
  readonly wallet: (
    name: string,
    holds?: { readonly lamports?: bigint; readonly usdc?: bigint },
  ) => Promise<KeyPairSigner>
  /** The partner's registered fee wallet. */
  readonly partner: Address
  /** Amounts that the service's wallets spent in earlier runs, if its folder is reused. */
  readonly before: {
    readonly rent: RentHeld
    readonly newest: ReadonlyMap<Address, Signature>
    /** The fees in the books of each asset at the start. */
    readonly fees: ReadonlyMap<Address, bigint>
  }
  readonly stopService: () => Promise<void>
  readonly startService: () => Promise<void>
  /** Deposits and settlements of this run, for the observer's view and the costs. */
  readonly transfers: Transfer[]
  /** The balances of this run, for the same tables. */
  readonly balances: UsedBalance[]
}

/** A stage together with its processes. */
export interface OpenedStage {
  readonly stage: Stage
  readonly relayers: readonly Address[]
  /** Stops every process; a folder that was made for this run is removed. */
  readonly close: () => Promise<void>
}

/** A balance's transactions on chain. */
export interface UsedBalance {
  readonly name: string
  readonly sender: Address
  readonly asset: Address
  readonly depositSignature: string
  /** Base units that the top-up paid in, as the deposit shows. */
  readonly value: bigint
  readonly payments: readonly MadePayment[]
  /** Base units that returned to the wallet at the end. */
  readonly returned: bigint
  readonly returnSignature: string
}

/** A payment out of a balance, in base units. */
export interface MadePayment {
  readonly payout: bigint
  readonly fee: bigint
  readonly signature: string
}

/** A transfer's transactions on chain. */
export interface Transfer {
  readonly name: string
  readonly sender: Address
  readonly depositSignature: string
  readonly settleSignature: string
  readonly asset: Address
  /** The note's value: the deposit shows it, and it is the sum of the settlement's payout and fee. */
  readonly value: bigint
  /** The amount that the payee received. */
  readonly paid: bigint
  /** Lamports of the payer in accounts that stay with the recipient: a created token account. */
  readonly accountRent: bigint
  /** True if the node has deleted both transactions of this transfer. */
  readonly isPruned?: boolean
}
