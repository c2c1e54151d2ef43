import {
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
} from '@solana-program/token'
import { getTransferSolInstruction } from '@solana-program/system'
import { createNoopSigner } from '@solana/kit'
import { associatedTokenAddress, NATIVE_MINT, U64_MAX, type Address } from '@sotto/protocol'
import { fileURLToPath } from 'node:url'
import { JUPITER } from '../../remote/jupiter-server.ts'
import { land } from './orders.ts'
import type { Stack } from './stack.ts'
import { makeWallet, type Wallet } from './wallet.ts'

const CALLER_FILE = fileURLToPath(
  new URL('../../../../../program/tests/fixtures/caller/sotto-caller.so', import.meta.url),
)
/** A program for `startStack` that stands at Jupiter's address and makes the calls that its instruction describes. */
export const JUPITER_STAND_IN = `${JUPITER}=${CALLER_FILE}`

const WRAPPED = 900_000_000_000n
const TOKENS = '900000000000'

/** A wallet with wrapped SOL and USDC that `trader` may spend. */
export async function makeMarketMaker(stack: Stack, trader: Address): Promise<Wallet> {
  const maker = makeWallet()
  const wallet = maker.address
  await stack.airdrop(wallet, WRAPPED + 10_000_000_000n)
  await stack.localnet.local('localnet_mintTokens', [wallet, stack.usdc, TOKENS])
  const wrapped = await associatedTokenAddress(wallet, NATIVE_MINT)
  const payer = createNoopSigner(wallet)
  const approvals = [wrapped, await associatedTokenAddress(wallet, stack.usdc)].map((source) =>
    getApproveInstruction({ source, delegate: trader, owner: payer, amount: U64_MAX }),
  )
  await land(stack, maker, [
    getCreateAssociatedTokenIdempotentInstruction({
      ...{ payer, ata: wrapped, owner: wallet, mint: NATIVE_MINT },
    }),
    getTransferSolInstruction({ source: payer, destination: wrapped, amount: WRAPPED }),
    getSyncNativeInstruction({ account: wrapped }),
    ...approvals,
  ])
  return maker
}
