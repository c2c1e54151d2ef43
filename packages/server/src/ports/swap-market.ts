import type { Address, Amount } from '@sotto/protocol'
import type { Instruction } from '@solana/kit'

/** The sale that a market is asked to make. */
export interface SwapAsked {
  readonly sell: Address
  readonly buy: Address
  /** Base units of `sell`. */
  readonly amountIn: Amount
  /** The part by which the proceeds may fall below the quote, in hundredths of a percent. */
  readonly slippageBps: number
  /** Maximum number of accounts that the swap's instruction may name, because a transaction has little room. */
  readonly accountsMax: number
}

export interface SwapQuote {
  readonly asked: SwapAsked
  /** The amount that the market claims to pay now, in base units of `buy`. */
  readonly amountOut: Amount
  /** The market's own answer. The request for the route must repeat it. */
  readonly answer: unknown
}

/** The market's instruction for a quote. The market isn't trusted, so the operator's command checks the instruction. */
export interface SwapRoute {
  readonly swap: Instruction
  /** The accounts that the market would create for the swap. */
  readonly creates: readonly Address[]
  /** True if the market wants more than the swap and these accounts, such as a tip. */
  readonly wantsMore: boolean
  /** Lookup tables that shorten the transaction. */
  readonly tables: readonly Address[]
}

/**
 * A market that swaps assets on the chain. It takes the sold asset from one token account of the owner and pays the
 * bought asset into another. SOL is traded as wrapped SOL. @throws RemoteError that says what to do next.
 */
export interface SwapMarket {
  readonly quote: (asked: SwapAsked) => Promise<SwapQuote>
  readonly findRoute: (quote: SwapQuote, owner: Address) => Promise<SwapRoute>
}
