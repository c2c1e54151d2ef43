import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { expect, test } from 'vitest'
import type { Address } from '@solana/kit'
import { addInventoryInstruction, amount, removeInventoryInstruction } from '@sotto/protocol'
import { draftOrder, sendDeposit } from './fixtures/deposits.ts'
import { startPool, stock } from './fixtures/pool.ts'

const MEMO_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address

test('I1: a token program that reports success but moves nothing is detected', async () => {
  const fixture = await startPool()
  const { chain, token, admin, adminToken } = fixture
  await stock(fixture, token, 1_000n)
  const order = await draftOrder(fixture, { sourceMint: token, amountOut: 100n })
  // The memo program replaces the token program here. It accepts any valid text, and the data of a small transfer is
  // valid text.
  const memo = chain.svm.getAccount(MEMO_PROGRAM)
  if (!memo.exists) throw new Error('the memo program is not deployed')
  chain.svm.addProgramWithLoader(
    TOKEN_PROGRAM_ADDRESS,
    new Uint8Array(memo.data),
    memo.programAddress,
  )
  const at = { program: chain.program, admin: admin.address, mint: token }
  expect((await sendDeposit(fixture, order)).refusal).toBe('VaultDeltaMismatch')
  const add = await addInventoryInstruction({ ...at, source: adminToken }, amount(100n))
  expect((await chain.send([admin], [add])).refusal).toBe('VaultDeltaMismatch')
  const remove = await removeInventoryInstruction({ ...at, destination: adminToken }, amount(100n))
  expect((await chain.send([admin], [remove])).refusal).toBe('VaultDeltaMismatch')
})
