import {
  AccountRole,
  getAddressEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { NATIVE_MINT, TOKEN_2022_PROGRAM, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { lifetimeOf, nonceAccountOf } from './durable-nonce.ts'
import { makeUnsigned } from './unsigned-transaction.ts'

// Any valid addresses will do, because the test only compares them.
const ACCOUNT = NATIVE_MINT
const ADMIN = TOKEN_2022_PROGRAM
const AUTHORITY = 'SysvarC1ock11111111111111111111111111111111' as Address
const NONCE = 'SysvarRent111111111111111111111111111111111'
const INSTRUCTION = { programAddress: AUTHORITY, accounts: [], data: new Uint8Array([4, 0, 0, 0]) }

function nonceBytes(state: number): Buffer {
  const data = Buffer.alloc(80)
  data.writeUInt32LE(1)
  data.writeUInt32LE(state, 4)
  data.set(getAddressEncoder().encode(AUTHORITY), 8)
  data.set(getAddressEncoder().encode(NONCE as Address), 40)
  return data
}

/** A node that returns one account and knows the newest blockhash. */
const node = (owner: string, data: Buffer): ChainRpc =>
  ({
    getMultipleAccounts: () => ({
      send: async () => ({
        context: { slot: 1n },
        value: [
          { owner, lamports: 1n, executable: false, data: [data.toString('base64'), 'base64'] },
        ],
      }),
    }),
    getLatestBlockhash: () => ({
      send: async () => ({ value: { blockhash: NONCE, lastValidBlockHeight: 9n } }),
    }),
  }) as unknown as ChainRpc

const decoded = (wire: Uint8Array) => getTransactionDecoder().decode(wire)

it('a transaction with a nonce needs the signature of the nonce’s authority', async () => {
  const rpc = node(SYSTEM_PROGRAM_ADDRESS, nonceBytes(1))
  const { wire, shown } = await makeUnsigned(rpc, ADMIN, [INSTRUCTION], ACCOUNT)
  expect(shown.nonce).toEqual({ account: ACCOUNT, value: NONCE })
  expect(shown.lastValidBlockHeight).toBeUndefined()
  expect(shown.signers).toEqual([ADMIN, AUTHORITY])
  expect(nonceAccountOf(decoded(wire))).toBe(ACCOUNT)
  expect(lifetimeOf(decoded(wire))).toBe(NONCE)
  const again = new Uint8Array(getTransactionEncoder().encode(decoded(wire)))
  expect(again).toEqual(wire)
})

it('a transaction with a blockhash uses no nonce', async () => {
  const rpc = node(SYSTEM_PROGRAM_ADDRESS, nonceBytes(1))
  const { wire, shown } = await makeUnsigned(rpc, ADMIN, [INSTRUCTION])
  expect(shown.lastValidBlockHeight).toBe('9')
  expect(nonceAccountOf(decoded(wire))).toBeUndefined()
})

/** Returns the nonce account that `nonceAccountOf` finds in a transaction whose instructions have these bytes. */
async function accountOf(...all: readonly (readonly number[])[]) {
  const instructions = all.map((data) => ({
    programAddress: SYSTEM_PROGRAM_ADDRESS,
    accounts: [{ address: ACCOUNT, role: AccountRole.WRITABLE }],
    data: new Uint8Array(data),
  }))
  const rpc = node(SYSTEM_PROGRAM_ADDRESS, nonceBytes(1))
  return nonceAccountOf(decoded((await makeUnsigned(rpc, ADMIN, instructions)).wire))
}

it('a transaction uses a nonce only if its first instruction advances the nonce', async () => {
  expect(await accountOf([4, 0, 0, 0])).toBe(ACCOUNT)
  expect(await accountOf([4, 0, 0, 1])).toBeUndefined()
  expect(await accountOf([4])).toBeUndefined()
  expect(await accountOf([2, 0, 0, 0], [4, 0, 0, 0])).toBeUndefined()
  expect(await accountOf()).toBeUndefined()
})

it('a nonce account is unknown if it cannot be read from the message', async () => {
  const { wire } = await makeUnsigned(node(SYSTEM_PROGRAM_ADDRESS, nonceBytes(1)), ADMIN, [
    { programAddress: SYSTEM_PROGRAM_ADDRESS, accounts: [], data: new Uint8Array([4, 0, 0, 0]) },
  ])
  expect(nonceAccountOf(decoded(wire))).toBe('unknown')
})

it.each([
  ['an account of another program', node(AUTHORITY, nonceBytes(1))],
  ['an account that was never initialised', node(SYSTEM_PROGRAM_ADDRESS, nonceBytes(0))],
  ['a wallet', node(SYSTEM_PROGRAM_ADDRESS, Buffer.alloc(0))],
])('%s is no nonce account', async (_, rpc) => {
  await expect(makeUnsigned(rpc, ADMIN, [INSTRUCTION], ACCOUNT)).rejects.toThrow(
    'is not a durable nonce account',
  )
})
