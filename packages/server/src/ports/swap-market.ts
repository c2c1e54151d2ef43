import type { Address, Amount } from '@sotto/protocol'
import type { Instruction } from '@solana/kit'

/** The swap that a market is asked to make. */
export interface SwapAsked {
  readonly sell: Address
  readonly buy: Address
  /** The amount to sell, in base units of `sell`. */
  readonly amountIn: Amount
  /** Maximum slippage: how far the proceeds may be below the quote, in basis points. */
  readonly slippageBps: number
  /** Maximum number of accounts that the swap's instruction may name, because the size of a transaction is limited. */
  readonly accountsMax: number
}

export interface SwapQuote {
  readonly asked: SwapAsked
  /** The amount that the market promises to pay now, in base units of `buy`. */
  readonly amountOut: Amount
  /** The market's own answer. The request for the route must contain it unchanged. */
  readonly answer: unknown
}

/** The market's instruction for a quote. The market isn't trusted, so the operator's command checks the instruction. */
export interface SwapRoute {
  readonly swap: Instruction
  /** The accounts that the market would create for the swap. */
  readonly creates: readonly Address[]
  /** True if the market wants more than the swap and these accounts, for example a tip. */
  readonly wantsMore: boolean
  /** Lookup tables that make the transaction shorter. */
  readonly tables: readonly Address[]
}

/**
 * A market that swaps assets on the chain. It debits the sold asset from one token account of the owner, and pays the
 * bought asset into another token account. SOL is traded as wrapped SOL.
 *
 * @throws RemoteError that says what the operator can do next.
 */
export interface SwapMarket {
  readonly quote: (asked: SwapAsked) => Promise<SwapQuote>
  readonly findRoute: (quote: SwapQuote, owner: Address) => Promise<SwapRoute>
}
