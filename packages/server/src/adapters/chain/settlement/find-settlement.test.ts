import {
  amount,
  nullifierAddress,
  settleInstruction,
  unixSeconds,
  type Address,
} from '@sotto/protocol'
import { getBase58Decoder } from '@solana/kit'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { findSettlement } from './find-settlement.ts'

const PROGRAM = 'Sotto11111111111111111111111111111111111111' as Address
const TREE = 'SysvarC1ock11111111111111111111111111111111' as Address
const MINT = 'SysvarRent111111111111111111111111111111111' as Address
const NULLIFIER = 4_711n
const LANDED = unixSeconds(1_800_000_000n)
const AT = { program: PROGRAM, tree: TREE, payer: MINT }

type Instruction = Awaited<ReturnType<typeof settleInstruction>>

const settle = () =>
  settleInstruction(AT, MINT, {
    ...{ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier: NULLIFIER },
    ...{ payout: amount(5n), fee: amount(0n), payee: MINT, changeLeaf: 7n },
    ...{ time: LANDED, proof: new Uint8Array(256) },
  })

function recordOf({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) {
  const named = [programAddress, ...accounts.map(({ address }) => address)]
  const accountKeys = [...new Set(named)]
  const indexOf = (one: Address) => accountKeys.indexOf(one)
  const instruction = {
    programIdIndex: indexOf(programAddress),
    accounts: accounts.map(({ address }) => indexOf(address)),
    data: getBase58Decoder().decode(data),
  }
  return {
    transaction: { message: { accountKeys, instructions: [instruction] } },
    meta: { err: null, innerInstructions: [], loadedAddresses: { writable: [], readonly: [] } },
  }
}

interface History {
  readonly account: Address
  readonly instruction: Instruction
  /**
   * Number of transactions before and after the settlement that only name the account. The earlier transactions are a
   * minute older than the settlement.
   */
  readonly earlier: number
  readonly later: number
}

/** A node that lists an account's transactions. `shown` counts the transactions that it was asked to show. */
function node({ account, instruction, earlier, later }: History) {
  const dust = (signature: string, blockTime: bigint) => ({ signature, blockTime })
  const oldestFirst = [
    ...Array.from({ length: earlier }, (_, place) => dust(`before${place}`, LANDED - 60n)),
    { signature: 'real', blockTime: LANDED },
    ...Array.from({ length: later }, (_, place) => dust(`after${place}`, LANDED)),
  ]
  const all = oldestFirst
    .map((one, place) => ({ ...one, slot: BigInt(place), err: null }))
    .reverse()
  const empty = recordOf({ programAddress: TREE, accounts: [], data: new Uint8Array() })
  let shown = 0
  const rpc = {
    getSignaturesForAddress: (asked: Address, { before }: { before?: string }) => ({
      send: async () => {
        expect(asked).toBe(account)
        const start = all.findIndex(({ signature }) => signature === before) + 1
        return all.slice(start, start + 1_000)
      },
    }),
    getTransaction: (signature: string) => ({
      send: async () => {
        shown += 1
        return signature === 'real' ? recordOf(instruction) : empty
      },
    }),
  } as unknown as ChainRpc
  return { rpc, shown: () => shown }
}

const settledNode = async (dust: Pick<History, 'earlier' | 'later'>) =>
  node({
    ...{ account: await nullifierAddress(PROGRAM, NULLIFIER), instruction: await settle() },
    ...dust,
  })

const find = (rpc: ChainRpc, atSeconds?: typeof LANDED) =>
  findSettlement(rpc, PROGRAM, async () => MINT, NULLIFIER, atSeconds)

it.each([
  ['four', 4],
  ['12,000', 12_000],
])('finds a settlement although %s earlier transactions name its nullifier', async (_, earlier) => {
  const { rpc } = await settledNode({ earlier, later: 0 })
  expect(await find(rpc)).toMatchObject({ signature: 'real', payee: MINT, payout: 5n })
})

it('finds a settlement although 12,000 later transactions name its nullifier', async () => {
  const { rpc, shown } = await settledNode({ earlier: 0, later: 12_000 })
  expect(await find(rpc)).toMatchObject({ signature: 'real' })
  expect(shown()).toBe(1)
})

it('reads the transactions at the settlement’s time first', async () => {
  const { rpc, shown } = await settledNode({ earlier: 3_000, later: 10 })
  expect(await find(rpc, LANDED)).toMatchObject({ signature: 'real' })
  expect(shown()).toBe(1)
})

it('reads at most 20,000 transactions, and none far from the settlement’s time', async () => {
  const { rpc, shown } = await settledNode({ earlier: 20_000, later: 0 })
  expect(await find(rpc)).toBeUndefined()
  expect(shown()).toBe(20_000)
  const later = unixSeconds(LANDED + 600n)
  expect(await find(rpc, later)).toBeUndefined()
  expect(shown()).toBe(20_000)
})
