import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { FREE, runOperator } from './stack/run-operator.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

interface Withdrawn {
  readonly withdrawn: string
  readonly left: string
}

const SIGNATURE_FEE = 5_000n

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await stack?.close()
})

/** Runs a command whose settings name the stack's authoriser and relayers. */
function operate<Result>(...words: string[]): Promise<Result> {
  const { rpc, database, authoriser, relayers } = stack
  const signers = { authoriser: async () => authoriser, relayers: async () => relayers }
  const base = { rpc, program: PROGRAM, database, clock: systemClock, signers }
  // With this ceiling, a transaction may have to offer a priority fee.
  return runOperator({ ...base, prices: { ...FREE, ceiling: 20 } }, ...words)
}

const lamportsOf = async (address: Stack['admin']['address']) =>
  (await stack.rpc.getBalance(address, { commitment: 'confirmed' }).send()).value

it('prints the addresses of the configured keys', async () => {
  expect(await operate('authoriser', 'show')).toEqual({ address: stack.authoriser.address })
  const relayers = stack.relayers.map(({ address }) => ({ address, lamports: '500000000000' }))
  expect(await operate('relayer', 'list')).toEqual({ relayers })
})

it('sends an amount, or all that a relayer can send, and says what is left', async () => {
  const from = stack.relayers[0]!.address
  const to = makeWallet().address
  const words = ['relayer', 'withdraw', '--from', from, '--to', to]
  const before = await lamportsOf(from)
  const part = await operate<Withdrawn>(...words, '--amount', '2000000')
  expect(part).toMatchObject({
    withdrawn: '2000000',
    left: `${before - 2_000_000n - SIGNATURE_FEE}`,
  })
  expect(await lamportsOf(to)).toBe(2_000_000n)

  const { left } = await operate<Withdrawn>(...words, '--all')
  expect(await lamportsOf(from)).toBe(BigInt(left))
  expect(await lamportsOf(to)).toBe(before - 2n * SIGNATURE_FEE - BigInt(left))
  // The rest is enough for the wallet's own rent, and for the highest fee that the transaction could have cost.
  const minimum = await stack.rpc.getMinimumBalanceForRentExemption(0n).send()
  expect(BigInt(left)).toBeGreaterThanOrEqual(minimum)
  expect(BigInt(left)).toBeLessThan(2_000_000n)
  await expect(operate(...words, '--all')).rejects.toThrow(/nothing to withdraw/)

  // Rent that returns later can be withdrawn too.
  await stack.airdrop(from, 5_000_000n)
  expect(await operate(...words, '--all')).toMatchObject({ left })
})

it('sends nothing from other wallets, and nothing that a relayer does not have', async () => {
  const from = stack.relayers[1]!.address
  const before = await lamportsOf(from)
  const to = makeWallet().address
  const withdraw = (...words: string[]) => operate('relayer', 'withdraw', '--to', to, ...words)
  await expect(withdraw('--from', makeWallet().address, '--all')).rejects.toThrow(/relayer list/)
  await expect(withdraw('--from', from)).rejects.toThrow(/--amount or --all/)
  await expect(withdraw('--from', from, '--amount', `${before}`)).rejects.toThrow(
    /the chain refuses/,
  )
  const itself = ['relayer', 'withdraw', '--from', from, '--to', from, '--all']
  await expect(operate(...itself)).rejects.toThrow(/another wallet/)
  expect(await lamportsOf(from)).toBe(before)
})
