import type { Address, KeyPairSigner } from '@solana/kit'
import type { Chain } from './chain.ts'
import type { Ledger } from './ledger.ts'
import type { Progress } from './progress.ts'
import type { ServiceApi } from './service-api.ts'

/** Everything a scene may use: HTTP, RPC, its wallets, and the switch of the service. */
export interface Stage {
  readonly api: ServiceApi
  readonly chain: Chain
  readonly ledger: Ledger
  readonly progress: Progress
  readonly program: Address
  readonly usdc: Address
  /** A new wallet that the ledger watches, holding this much from the start. */
  readonly wallet: (
    name: string,
    holds?: { readonly lamports?: bigint; readonly usdc?: bigint },
  ) => Promise<KeyPairSigner>
  /** The partner's registered fee wallet. */
  readonly partner: Address
  readonly stopService: () => Promise<void>
  readonly startService: () => Promise<void>
  /** Deposits and settlements of this run, for the observer's view and the costs. */
  readonly transfers: Transfer[]
}

/** What a transfer left on chain. */
export interface Transfer {
  readonly name: string
  readonly depositSignature: string
  readonly settleSignature: string
  readonly asset: Address
  readonly amountOut: bigint
  /** Lamports of the payer in accounts that stay with the recipient: a created token account. */
  readonly accountRent: bigint
}
