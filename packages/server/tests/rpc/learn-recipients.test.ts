import { createSolanaRpcFromTransport, getBase58Decoder, type Address } from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  addressBytes,
  addressFromBytes,
  amount,
  ASSET_BYTES,
  assetAddress,
  NATIVE_MINT,
  poolAddress,
  RENT_SYSVAR,
  settleInstruction,
  unixSeconds,
} from '@sotto/protocol'
import { beforeEach, expect, it } from 'vitest'
import { DECOYS_OF_KIND } from '../../src/adapters/chain/recipients/decoys.ts'
import { Recipients } from '../../src/adapters/chain/recipients/recipients.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import type { ChainRpc } from '../../src/adapters/rpc/rpc-client.ts'

const wallet = () => addressFromBytes(systemRandom.bytes(32))
const [PROGRAM, TREE, RECIPIENT, PAYEE] = [wallet(), wallet(), wallet(), wallet()]
const TOKENS = [wallet(), wallet()]
const POOL_BYTES = 176
const TREE_OFFSET = 136
const SETTLEMENT = 'settlement'
/** The greatest number of accounts that one read names for a recipient of SOL, if the pool has two tokens. */
const CROWD = 4 * DECOYS_OF_KIND + 1

type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

let wallets: string[][]
let isRefused: (method: string, address: string) => boolean
let held: Promise<void>
let sleeps: { readonly ms: number; readonly end: () => void }[]
let recipients: Recipients
beforeEach(() => {
  wallets = []
  isRefused = () => false
  held = Promise.resolve()
  sleeps = []
  const clock = {
    nowMs: () => 1_000_000,
    sleep: (ms: number) => new Promise<void>((end) => void sleeps.push({ ms, end })),
  }
  const mints = async () => ({ mints: [...TOKENS, NATIVE_MINT], areListed: true })
  recipients = new Recipients({ rpc: node(), program: PROGRAM, mints, clock, random: systemRandom })
})

/** A node with a pool that has paid one payee. The newest transactions for each mint show eight strangers. */
function node(): ChainRpc {
  const answers: Answers = {
    getMultipleAccounts: async ([addresses]) => {
      const named = addresses as Address[]
      if (named.includes(RECIPIENT)) wallets.push(named)
      const value = await Promise.all(named.map(account))
      return { context: { slot: 1n }, value }
    },
    getSignaturesForAddress: async ([mint]) => {
      await held
      if (mint === TREE) return [{ signature: SETTLEMENT, slot: 1n, err: null }]
      return Array.from({ length: DECOYS_OF_KIND }, (_, index) => {
        return { signature: `${String(mint)} ${index}`, slot: 1n, err: null }
      })
    },
    getTransaction: async ([signature]) => {
      if (signature === SETTLEMENT) return settlement()
      const message = { accountKeys: [wallet()], header: { numRequiredSignatures: 1 } }
      const [mint] = String(signature).split(' ')
      const meta = { err: null, postTokenBalances: [{ mint, owner: wallet() }] }
      return { meta, transaction: { message: { ...message, instructions: [] } } }
    },
  }
  return createSolanaRpcFromTransport(async ({ payload }) => {
    const { method, params } = payload as { method: string; params: readonly unknown[] }
    if ([params[0]].flat().some((one) => isRefused(method, String(one)))) throw new Error('refused')
    return { jsonrpc: '2.0', id: '1', result: await answers[method]?.(params) } as never
  })
}

async function account(address: Address): Promise<object | null> {
  if (TOKENS.includes(address)) return shown(TOKEN_PROGRAM_ADDRESS, Buffer.alloc(0))
  if (address === RENT_SYSVAR) return shown(PROGRAM, rent())
  if (address === (await poolAddress(PROGRAM))) return shown(PROGRAM, pool())
  return address === (await assetAddress(PROGRAM, NATIVE_MINT)) ? shown(PROGRAM, asset()) : null
}

function pool(): Buffer {
  const data = Buffer.alloc(POOL_BYTES)
  data[0] = 1
  data.set(addressBytes(TREE), TREE_OFFSET)
  return data
}

function asset(): Buffer {
  const data = Buffer.alloc(ASSET_BYTES)
  data[0] = 3
  data.set(addressBytes(NATIVE_MINT), 8)
  return data
}

/** A settlement that pays SOL to the payee. */
async function settlement(): Promise<object> {
  const { accounts = [], data = Buffer.alloc(0) } = await settleInstruction(
    { program: PROGRAM, tree: TREE, payer: wallet() },
    NATIVE_MINT,
    {
      ...{ isRefund: false, root: { kind: 'recent', index: 3 }, nullifier: 8n, changeLeaf: 9n },
      ...{ payout: amount(4n), fee: amount(1n), payee: PAYEE, time: unixSeconds(600n) },
      proof: new Uint8Array(256),
    },
  )
  const keys = [PROGRAM, ...accounts.map((one) => one.address)]
  const instruction = {
    ...{ programIdIndex: 0, accounts: accounts.map((_, index) => index + 1) },
    data: getBase58Decoder().decode(data),
  }
  const message = { accountKeys: keys, instructions: [instruction] }
  return { meta: { err: null, innerInstructions: [] }, transaction: { message } }
}

function rent(): Buffer {
  const data = Buffer.alloc(17)
  data.writeBigUInt64LE(3_480n)
  data.writeDoubleLE(2, 8)
  return data
}

const shown = (owner: Address, data: Buffer) => ({
  ...{ owner, lamports: 1n, executable: false, rentEpoch: 0n, space: 0n },
  data: [data.toString('base64'), 'base64'],
})

const { signal } = new AbortController()
const look = (asker?: string) => recipients.read(NATIVE_MINT, RECIPIENT, asker)
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 50))

it('a quote right after the start waits for decoys of every kind', async () => {
  let release: () => void = () => undefined
  held = new Promise((resolve) => (release = resolve))
  const learning = recipients.learn(signal)
  const quote = look('an account')
  await aMoment()
  expect(wallets).toEqual([])
  release()
  await Promise.all([learning, quote])
  expect(wallets.map((one) => one.length)).toEqual([CROWD])
})

it('a node that hangs at the start delays the first quotes by ten seconds at most', async () => {
  held = new Promise(() => undefined)
  void recipients.learn(signal)
  const quote = look('an account')
  await aMoment()
  expect(sleeps.map(({ ms }) => ms)).toEqual([10_000])
  sleeps[0]?.end()
  await quote
  expect(wallets.map((one) => one.length)).toEqual([DECOYS_OF_KIND + 1])
})

it('recipients get decoys of other kinds if a node refuses to list a token’s transactions', async () => {
  isRefused = (method, address) => method === 'getSignaturesForAddress' && address === TOKENS[0]
  await expect(recipients.learn(signal)).rejects.toThrow('refused')
  await look()
  expect(wallets.map((one) => one.length)).toEqual([CROWD - DECOYS_OF_KIND])
})

it('the pool’s payees are known even if a node does not show a token', async () => {
  isRefused = (method, address) => method === 'getMultipleAccounts' && address === TOKENS[0]
  await expect(recipients.learn(signal)).rejects.toThrow('refused')
  expect(await recipients.known(NATIVE_MINT, PAYEE)).toBeDefined()
  expect(await recipients.known(NATIVE_MINT, RECIPIENT)).toBeUndefined()
})
