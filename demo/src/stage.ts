import type { SottoClient } from '@sotto/sdk/server'
import type { Address, KeyPairSigner, Signature } from '@solana/kit'
import type { Chain } from './chain.ts'
import type { Ledger } from './ledger.ts'
import type { Passage } from './passage.ts'
import type { Progress } from './progress.ts'
import type { RentHeld } from './rent-held.ts'
import type { ServiceApi } from './service-api.ts'
import type { Sizes } from './sizes.ts'

/** Everything that a scene may use: HTTP, RPC, wallets, and control over the service. */
export interface Stage {
  readonly api: ServiceApi
  /** A client of the SDK for the same interface. Scenes with balances use it for their payments. */
  readonly sdk: SottoClient
  readonly chain: Chain
  readonly rpcUrl: string
  readonly ledger: Ledger
  readonly progress: Progress
  readonly program: Address
  readonly usdc: Address
  readonly sizes: Sizes
  readonly passage: Passage
  /** Creates a wallet with this initial money. The ledger watches the wallet. */
  readonly wallet: (
    name: string,
    holds?: { readonly lamports?: bigint; readonly usdc?: bigint },
  ) => Promise<KeyPairSigner>
  /** The partner's registered fee wallet. */
  readonly partner: Address
  /**
   * Facts from before this run. Earlier runs may have used the same folder. So the service's wallets may already have
   * paid rent and sent transactions, and the books may contain fees.
   */
  readonly before: {
    readonly rent: RentHeld
    readonly newest: ReadonlyMap<Address, Signature>
    /** The fees in each asset's books at the start of the run. */
    readonly fees: ReadonlyMap<Address, bigint>
  }
  readonly stopService: () => Promise<void>
  readonly startService: () => Promise<void>
  /** Deposits and settlements of this run. The tables of the observer and of the costs read them. */
  readonly transfers: Transfer[]
  /** The balances of this run. The tables of the observer and of the costs read them too. */
  readonly balances: UsedBalance[]
}

/** A stage together with its processes. */
export interface OpenedStage {
  readonly stage: Stage
  readonly relayers: readonly Address[]
  /** Stops every process. Removes a folder that was made only for this run, except if the user keeps it. */
  readonly close: () => Promise<void>
}

/** The transactions of a balance on the chain. */
export interface UsedBalance {
  readonly name: string
  readonly sender: Address
  readonly asset: Address
  readonly depositSignature: string
  /** The value of the top-up in base units, as it is visible in the deposit. */
  readonly value: bigint
  readonly payments: readonly MadePayment[]
  /** The amount that returned to the wallet at the end, in base units. */
  readonly returned: bigint
  readonly returnSignature: string
}

/** A payment out of a balance, in base units. */
export interface MadePayment {
  readonly payout: bigint
  readonly fee: bigint
  readonly signature: string
}

/** The transactions of a transfer on the chain. */
export interface Transfer {
  readonly name: string
  readonly sender: Address
  readonly depositSignature: string
  readonly settleSignature: string
  readonly asset: Address
  /**
   * The note's value in base units. It is visible in the deposit, and equals the sum of the settlement's payout and
   * fee.
   */
  readonly value: bigint
  /** The amount that the payee received. */
  readonly paid: bigint
  /** Rent in lamports that the payer paid for a new token account. The recipient keeps the account. */
  readonly accountRent: bigint
  /** True if the node has deleted both transactions of this transfer. */
  readonly isPruned?: boolean
}
