import {
  getApproveInstruction,
  getInitializeMultisig2Instruction,
  getMultisigSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { getCreateAccountInstruction } from '@solana-program/system'
import { createNoopSigner } from '@solana/kit'
import {
  addressBytes,
  assetAddress,
  associatedTokenAddress,
  NATIVE_MINT,
  poolAddress,
  vaultAddress,
  type Address,
} from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { meta, type JupiterServer } from '../remote/jupiter-server.ts'
import { makeLookupTable } from './stack/lookup-table.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { land, landAll } from './stack/orders.ts'
import { makeMint2022, METADATA_POINTER, mintTokens2022 } from './stack/token-2022.ts'
import { startTrading, type TradingStack } from './stack/trading-stack.ts'
import { makeWallet } from './stack/wallet.ts'

let trading: TradingStack
/** A mint with an extension. The admin has all its authorities. */
let mint: Address
/**
 * A multisig of the token program. Its members are the admin and another wallet. The admin's signature alone is enough.
 */
let multisig: Address
/** A token account of another wallet. The admin may spend from it. */
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

/** A market whose route also names an account. */
const naming = (account: Address, isWritable: boolean): JupiterServer['disturb'] => ({
  route: ({ swapInstruction, ...route }) => {
    const accounts = [...swapInstruction.accounts, meta(account, isWritable)]
    return { ...route, swapInstruction: { ...swapInstruction, accounts } }
  },
})

type Answer = Awaited<ReturnType<typeof readTogether>>
const readTogether = (addresses: readonly Address[], options: never) =>
  trading.stack.rpc.getMultipleAccounts(addresses, options).send()

/** Makes the first node return wrong data for an account. The second node is honest. */
function showFalsely(
  account: Address,
  show: (one: Answer['value'][0]) => Answer['value'][0],
): void {
  trading.witnesses.push(trading.stack.rpc)
  const answer = (addresses: Address[], options: never) => ({
    send: async () => {
      const { context, value } = await readTogether(addresses, options)
      const shown = (one: Answer['value'][0], at: number) =>
        addresses[at] === account ? show(one) : one
      return { context, value: value.map(shown) }
    },
  })
  trading.node.set('getMultipleAccounts', answer)
}

it('a route is refused if one node shows that the admin may spend from an account', async () => {
  showFalsely(lent, () => null)
  trading.jupiter.disturb = naming(lent, true)
  await expect(trading.rebalance()).rejects.toThrow(/of the admin/)
})

it('an entry of a lookup table is used only if all nodes show the same account', async () => {
  const theirs = trading.makersAccount(trading.stack.usdc)
  const table = await makeLookupTable(trading.stack, [lent])
  showFalsely(table, (one) => {
    const data = Buffer.from((one!.data as unknown as [string, string])[0], 'base64')
    data.set(addressBytes(theirs), data.length - 32)
    return { ...one!, data: [data.toString('base64'), 'base64'] } as never
  })
  trading.jupiter.disturb = {
    route: (route) => ({ ...route, addressLookupTableAddresses: [table] }),
  }
  const [trade] = (await trading.rebalance()).trades
  const options = { commitment: 'confirmed', encoding: 'json' } as const
  const landed = await trading.stack.rpc
    .getTransaction(trade!.signature as never, { ...options, maxSupportedTransactionVersion: 0 })
    .send()
  expect(landed!.transaction.message.accountKeys).toContain(theirs)
})

describe('a route is refused before anything is signed if it names', () => {
  const { usdc } = { usdc: () => trading.stack.usdc }
  it.each<[string, () => Promise<Address> | Address, boolean, RegExp]>([
    ['a mint with extensions that the admin may mint', () => mint, true, /of the admin/],
    ['a mint whose accounts the admin may freeze', () => mint, false, /of the admin/],
    ['an account that the admin may spend from', () => lent, true, /of the admin/],
    ['a multisig that the admin signs for', () => multisig, false, /of the admin/],
    ["the sold asset's vault", () => vaultAddress(PROGRAM, usdc()), false, /names the pool/],
    [
      "the bought asset's Asset account",
      () => assetAddress(PROGRAM, NATIVE_MINT),
      false,
      /names the pool/,
    ],
    ['the pool account', () => poolAddress(PROGRAM), false, /names the pool/],
  ])('%s', async (_, account, isWritable, refusal) => {
    const before = await trading.books()
    trading.jupiter.disturb = naming(await account(), isWritable)
    await expect(trading.rebalance()).rejects.toThrow(refusal)
    expect(await trading.books()).toEqual(before)
  })
})
