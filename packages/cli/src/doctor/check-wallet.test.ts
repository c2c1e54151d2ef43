import type { Address } from '@solana/kit'
import { expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { checkWallet } from './check-wallet.ts'

/** A node that shows one balance, and a rent in the form of newer clusters. */
function contextWith(lamportsPerByte: bigint, balance: bigint): CliContext {
  const rent = Buffer.alloc(17)
  rent.writeBigUInt64LE(lamportsPerByte)
  rent.writeDoubleLE(1, 8)
  const owner = 'Sysvar1111111111111111111111111111111111111' as Address
  const account = {
    context: { slot: 1n },
    value: { owner, data: [rent.toString('base64'), 'base64'] },
  }
  const answer = (value: unknown) => ({ send: async () => value })
  const rpc = {
    getBalance: () => answer({ value: balance }),
    getAccountInfo: () => answer(account),
  }
  return {
    keypairFile: async () => import.meta.filename,
    signer: async () => ({ address: owner }),
    rpc: async () => rpc,
  } as unknown as CliContext
}

const stateAt = async (lamportsPerByte: bigint, balance: bigint) =>
  (await checkWallet(contextWith(lamportsPerByte, balance))).at(-1)

it.each([
  [6_960n, (128n + 56n + 128n) * 6_960n + 140_000n, '0.00231152'],
  [5_080n, (128n + 56n + 128n) * 5_080n + 140_000n, '0.00172496'],
])('doctor names the lamports that a deposit needs at a rent of %i', async (rent, least, text) => {
  expect(await stateAt(rent, least)).toMatchObject({ check: 'balance', state: 'ok' })
  const lacking = await stateAt(rent, least - 1n)
  expect(lacking).toMatchObject({ state: 'warn', fix: expect.stringContaining(text) })
})
