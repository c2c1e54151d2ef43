import {
  getApproveInstruction,
  getInitializeMultisig2Instruction,
  getMultisigSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { getCreateAccountInstruction } from '@solana-program/system'
import { createNoopSigner } from '@solana/kit'
import {
  assetAddress,
  associatedTokenAddress,
  NATIVE_MINT,
  poolAddress,
  vaultAddress,
  type Address,
} from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { meta } from '../remote/jupiter-server.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { land, landAll } from './stack/orders.ts'
import { makeMint2022, METADATA_POINTER, mintTokens2022 } from './stack/token-2022.ts'
import { startTrading, type TradingStack } from './stack/trading-stack.ts'
import { makeWallet } from './stack/wallet.ts'

let trading: TradingStack
/** A mint with an extension, whose authorities are the admin's. */
let mint: Address
/** A token account of one of them and a multisig that the admin alone can sign for. */
let multisig: Address
/** A token account of another wallet, which lets the admin spend from it. */
let lent: Address
beforeAll(async () => {
  trading = await startTrading()
  const { stack } = trading
  mint = await makeMint2022(stack, METADATA_POINTER, true)
  await mintTokens2022(stack, stack.admin.address, mint, 1n)
  const treasury = makeWallet()
  await stack.airdrop(treasury.address, 1_000_000_000n)
  await stack.localnet.local('localnet_mintTokens', [treasury.address, stack.usdc, '1000'])
  lent = await associatedTokenAddress(treasury.address, stack.usdc)
  const owner = createNoopSigner(treasury.address)
  await land(stack, treasury, [
    getApproveInstruction({ source: lent, delegate: stack.admin.address, owner, amount: 1_000n }),
  ])
  const shared = makeWallet()
  multisig = shared.address
  await landAll(
    stack,
    [stack.admin, shared],
    [
      getCreateAccountInstruction({
        payer: createNoopSigner(stack.admin.address),
        newAccount: createNoopSigner(multisig),
        lamports: await stack.rpc
          .getMinimumBalanceForRentExemption(BigInt(getMultisigSize()))
          .send(),
        space: getMultisigSize(),
        programAddress: TOKEN_PROGRAM_ADDRESS,
      }),
      getInitializeMultisig2Instruction({
        ...{ multisig, m: 1, signers: [stack.admin.address, makeWallet().address] },
      }),
    ],
  )
})
afterAll(() => trading?.close())
beforeEach(() => trading.reset())

describe('a route is refused before anything is signed if it names', () => {
  const { usdc } = { usdc: () => trading.stack.usdc }
  it.each<[string, () => Promise<Address> | Address, boolean, RegExp]>([
    ['a mint with extensions that the admin may mint', () => mint, true, /of the admin/],
    ['a mint whose accounts the admin may freeze', () => mint, false, /of the admin/],
    ['an account that the admin may spend from', () => lent, true, /of the admin/],
    ['a multisig that the admin signs for', () => multisig, false, /of the admin/],
    ["the sold asset's vault", () => vaultAddress(PROGRAM, usdc()), false, /names the pool/],
    ["the bought asset's books", () => assetAddress(PROGRAM, NATIVE_MINT), false, /names the pool/],
    ['the pool account', () => poolAddress(PROGRAM), false, /names the pool/],
  ])('%s', async (_, account, isWritable, refusal) => {
    const before = await trading.books()
    const named = meta(await account(), isWritable)
    trading.jupiter.disturb = {
      route: ({ swapInstruction, ...route }) => ({
        ...route,
        swapInstruction: {
          ...swapInstruction,
          accounts: [...swapInstruction.accounts, named],
        },
      }),
    }
    await expect(trading.rebalance()).rejects.toThrow(refusal)
    expect(await trading.books()).toEqual(before)
  })
})
