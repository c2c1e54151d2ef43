import { ASSET_BYTES, assetAddress, TREE_BYTES, type Address } from '@sotto/protocol'
import { getAddressDecoder } from '@solana/kit'
import { getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { expect, it } from 'vitest'
import { readBooks } from './read-books.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

const PROGRAM = 'SysvarC1ock11111111111111111111111111111111' as Address
const TREE = 'SysvarRent111111111111111111111111111111111' as Address
/** Number of assets. With their vaults, they don't fit into one request. */
const ASSETS = 120
const [MINT_OFFSET, OWED_OFFSET] = [8, 104]

const mintOf = (index: number) => getAddressDecoder().decode(new Uint8Array(32).fill(index + 1))

const MINTS = Array.from({ length: ASSETS }, (_, index) => mintOf(index))

function assetData(mint: number, owed: bigint): Uint8Array {
  const data = Buffer.alloc(ASSET_BYTES)
  data.writeUInt8(3, 0)
  data.fill(mint + 1, MINT_OFFSET, MINT_OFFSET + 32)
  data.writeBigUInt64LE(owed, OWED_OFFSET)
  return data
}

function vaultData(amount: bigint): Uint8Array {
  const nobody = { delegate: null, isNative: null, closeAuthority: null }
  const holder = { mint: PROGRAM, owner: PROGRAM, state: 1, delegatedAmount: 0n }
  return new Uint8Array(getTokenEncoder().encode({ ...holder, ...nobody, amount }))
}

const treeData = (): Uint8Array => {
  const data = new Uint8Array(TREE_BYTES)
  data[0] = 2
  return data
}

/** A node on which every asset receives a deposit between every two requests. */
async function busyNode() {
  const assets = new Map<string, number>()
  for (let index = 0; index < ASSETS; index += 1) {
    assets.set(await assetAddress(PROGRAM, mintOf(index)), index)
  }
  let requests = 0n
  const raw = (data: Uint8Array, owner = PROGRAM) => ({
    ...{ owner, lamports: 0n, executable: false },
    data: [Buffer.from(data).toString('base64'), 'base64'],
  })
  const contentOf = (address: Address) => {
    if (address === TREE) return raw(treeData())
    const asset = assets.get(address)
    if (asset !== undefined) return raw(assetData(asset, requests * 10n))
    return raw(vaultData(requests * 10n), TOKEN_PROGRAM_ADDRESS)
  }
  const rpc = {
    getMinimumBalanceForRentExemption: () => ({ send: async () => 0n }),
    getMultipleAccounts: (addresses: readonly Address[]) => ({
      send: async () => {
        requests += 1n
        const value = addresses.map((one) => contentOf(one))
        return { context: { slot: requests }, value }
      },
    }),
  } as unknown as ChainRpc
  return rpc
}

it('reads the books of each asset in the same request as its vault', async () => {
  const { assets } = await readBooks(await busyNode(), PROGRAM, TREE, MINTS)
  expect(assets).toHaveLength(ASSETS)
  expect(new Set(assets.map(({ mint }) => mint)).size).toBe(ASSETS)
  expect(assets.filter(({ held, owed }) => held !== owed)).toEqual([])
  // The read took several requests, so a mismatch between the requests would have been visible.
  expect(new Set(assets.map(({ owed }) => owed)).size).toBe(3)
})
