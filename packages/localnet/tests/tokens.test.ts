import { address, generateKeyPairSigner, getAddressEncoder, getBase58Decoder } from '@solana/kit'
import {
  TOKEN_PROGRAM_ADDRESS,
  fetchMint,
  fetchToken,
  findAssociatedTokenPda,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import type { Address, Base58EncodedBytes } from '@solana/kit'
import { getBase64EncodedWireTransaction } from '@solana/kit'
import { expect, test } from 'vitest'
import { sign } from './client.ts'
import { startStillChain } from './still-chain.ts'

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const tokenProgram = TOKEN_PROGRAM_ADDRESS

async function startWithUsdc() {
  const chain = await startStillChain()
  await chain.call('localnet_createMint', [{ mint: USDC, decimals: 6, symbol: 'USDC' }])
  return chain
}

test('a test token can have the address of a real token', async () => {
  const chain = await startWithUsdc()
  const owner = await chain.fund()
  await chain.call('localnet_mintTokens', [owner.address, USDC, '18446744073709551615'])
  await chain.pass(8)
  const [ata] = await findAssociatedTokenPda({ owner: owner.address, mint: USDC, tokenProgram })
  expect((await fetchToken(chain.rpc, ata)).data.amount).toBe(18_446_744_073_709_551_615n)
  expect((await fetchMint(chain.rpc, USDC)).data.decimals).toBe(6)
  const { value } = await chain.rpc.getTokenAccountBalance(ata).send()
  expect(value).toMatchObject({
    amount: '18446744073709551615',
    uiAmountString: '18446744073709.551615',
  })
  expect((await chain.rpc.getTokenSupply(USDC).send()).value.amount).toBe('18446744073709551615')
})

test('creating a mint again has no effect', async () => {
  const chain = await startWithUsdc()
  const again = await chain.call('localnet_createMint', [{ mint: USDC, decimals: 6 }])
  expect(again).toMatchObject({ mint: USDC })
  await expect(chain.call('localnet_createMint', [{ mint: USDC, decimals: 9 }])).rejects.toThrow()
  const first = await chain.call('localnet_createMint', [{ decimals: 2, symbol: 'EUR' }])
  expect(await chain.call('localnet_createMint', [{ decimals: 2, symbol: 'EUR' }])).toEqual(first)
})

test('a token transfer reports token balances before and after', async () => {
  const chain = await startWithUsdc()
  const owner = await chain.fund()
  const other = await generateKeyPairSigner()
  await chain.call('localnet_mintTokens', [owner.address, USDC, '1000000'])
  await chain.call('localnet_mintTokens', [other.address, USDC, '0'])
  await chain.pass(1)
  const [source] = await findAssociatedTokenPda({ owner: owner.address, mint: USDC, tokenProgram })
  const [destination] = await findAssociatedTokenPda({
    owner: other.address,
    mint: USDC,
    tokenProgram,
  })
  const amount = 250_000n
  const { transaction, signature } = await sign(chain.rpc, owner, [
    getTransferCheckedInstruction({
      source,
      mint: USDC,
      destination,
      authority: owner,
      amount,
      decimals: 6,
    }),
  ])
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  await chain.pass(8)
  const found = await chain.rpc
    .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
    .send()
  const amounts = (
    balances: typeof found extends null
      ? never
      : readonly { owner?: string; uiTokenAmount: { amount: string } }[] | undefined,
  ) => Object.fromEntries((balances ?? []).map((each) => [each.owner, each.uiTokenAmount.amount]))
  expect(amounts(found?.meta?.preTokenBalances)).toEqual({
    [owner.address]: '1000000',
    [other.address]: '0',
  })
  expect(amounts(found?.meta?.postTokenBalances)).toEqual({
    [owner.address]: '750000',
    [other.address]: '250000',
  })
  // As on validators, `uiAmount` is null for a balance of 0.
  const doubles = (found?.meta?.preTokenBalances ?? []).map((one) => one.uiTokenAmount.uiAmount)
  expect(doubles.sort()).toEqual([1, null])
})

test('program accounts can be filtered and sliced', async () => {
  const chain = await startWithUsdc()
  const owner = await chain.fund()
  const other = await chain.fund()
  await chain.call('localnet_mintTokens', [owner.address, USDC, '5'])
  await chain.call('localnet_mintTokens', [other.address, USDC, '6'])
  const bytes = getBase58Decoder().decode(
    getAddressEncoder().encode(owner.address),
  ) as Base58EncodedBytes
  const find = (commitment: 'processed' | 'finalized') =>
    chain.rpc
      .getProgramAccounts(TOKEN_PROGRAM_ADDRESS, {
        commitment,
        encoding: 'base64',
        dataSlice: { offset: 64, length: 8 },
        filters: [{ dataSize: 165n }, { memcmp: { offset: 32n, bytes, encoding: 'base58' } }],
      })
      .send()
  expect(await find('finalized')).toEqual([])
  const [found, ...rest] = await find('processed')
  expect(rest).toEqual([])
  const amount = Buffer.from(found?.account.data[0] ?? '', 'base64').readBigUInt64LE()
  expect(amount).toBe(5n)
  await chain.pass(8)
  expect(await find('finalized')).toHaveLength(1)
  const { value } = await chain.rpc
    .getTokenAccountsByOwner(owner.address, { mint: USDC }, { encoding: 'jsonParsed' })
    .send()
  expect(value[0]?.account.data.parsed.info.tokenAmount.amount).toBe('5')
})

test('a slice shows the account at the requested commitment', async () => {
  const chain = await startWithUsdc()
  const owner = await chain.fund()
  const account = await chain.call('localnet_mintTokens', [owner.address, USDC, '5'])
  const { account: at } = account as { account: Address }
  await chain.pass(8)
  await chain.call('localnet_mintTokens', [owner.address, USDC, '2'])
  const slice = async (commitment: 'processed' | 'finalized', offset: number, length: number) => {
    const config = { commitment, encoding: 'base64', dataSlice: { offset, length } } as const
    const one = await chain.rpc.getAccountInfo(at, config).send()
    const many = await chain.rpc.getMultipleAccounts([at, owner.address], config).send()
    expect(many.value[0]).toEqual(one.value)
    expect(many.value[1]?.data[0]).toBe('')
    return Buffer.from(one.value?.data[0] ?? '', 'base64')
  }
  expect((await slice('processed', 64, 8)).readBigUInt64LE()).toBe(7n)
  expect((await slice('finalized', 64, 8)).readBigUInt64LE()).toBe(5n)
  expect((await slice('finalized', 160, 100)).length).toBe(5)
  expect((await slice('finalized', 1_000, 8)).length).toBe(0)
})

test('an airdrop lands even if its first blockhash expires', async () => {
  const chain = await startStillChain()
  const wallet = (await generateKeyPairSigner()).address
  const asked = Array.from({ length: 40 }, async (_, index) => {
    if (index % 4 === 0) return void (await chain.pass(200))
    await chain.call('requestAirdrop', [wallet, 1_000_000])
  })
  await Promise.all(asked)
  await chain.pass(8)
  const { value } = await chain.rpc.getBalance(wallet, { commitment: 'confirmed' }).send()
  expect(value).toBe(30_000_000n)
})
