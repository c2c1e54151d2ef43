import { NATIVE_MINT } from '@sotto/protocol'
import type { Address } from '@solana/kit'

/**
 * One kind of transfer. `assets` gets the address of the embedded chain's token, and returns the transfer's two assets.
 */
export interface TransferKind {
  readonly name: string
  readonly assets: (token: Address) => readonly [source: Address, destination: Address]
  /** Base units that the sender pays. */
  readonly amount: bigint
  /** True if the recipient already has an account for the output; always true for SOL. */
  readonly hasAccount: boolean
  /**
   * False if the transfer creates a token account for the recipient. The recipient keeps this account and its rent, so
   * the cost isn't compared with a limit.
   */
  readonly isJudged: boolean
}

const SOL = 1_000_000_000n
const TOKEN = 5_000_000n
const USUAL = { hasAccount: true, isJudged: true }

export const KINDS: readonly TransferKind[] = [
  { name: 'SOL send', assets: () => [NATIVE_MINT, NATIVE_MINT], amount: SOL, ...USUAL },
  { name: 'token send', assets: (token) => [token, token], amount: TOKEN, ...USUAL },
  {
    name: 'swap of SOL for a token',
    assets: (token) => [NATIVE_MINT, token],
    amount: SOL,
    ...USUAL,
  },
  {
    name: 'swap of a token for SOL',
    assets: (token) => [token, NATIVE_MINT],
    amount: TOKEN,
    ...USUAL,
  },
  {
    name: 'token send that makes an account',
    ...{ assets: (token) => [token, token], amount: TOKEN, hasAccount: false, isJudged: false },
  },
]
