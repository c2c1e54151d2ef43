import { expect, test } from 'vitest'
import {
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createTransactionMessage,
  getBase58Decoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Blockhash,
  type Instruction,
} from '@solana/kit'
import { decodeTree, depositsOf, NATIVE_MINT, type TransactionRecord } from '@sotto/protocol'
import { depositPair, draftOrder, Ledger } from '../fixtures/deposits.ts'
import { expectLanded, startPool } from '../fixtures/pool.ts'

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
/** What validators keep of a transaction's logs. */
const LOG_BYTES = 10_000n

/** The transaction as `getTransaction` returns it with encoding `json`, without its logs. */
function recordOf(payer: Address, instructions: Instruction[]): TransactionRecord {
  const lifetime = { blockhash: '1'.repeat(32) as Blockhash, lastValidBlockHeight: 1n }
  const compiled = compileTransactionMessage(
    pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayer(payer, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    ),
  )
  return {
    transaction: {
      message: {
        accountKeys: compiled.staticAccounts,
        instructions: compiled.instructions.map((one) => ({
          programIdIndex: one.programAddressIndex,
          accounts: one.accountIndices ?? [],
          data: getBase58Decoder().decode(one.data ?? new Uint8Array()),
        })),
      },
    },
    meta: { err: null, innerInstructions: [] },
  }
}

test('harmless: logs spammed full in the deposit’s transaction hide no leaf from the follower', async () => {
  const fixture = await startPool()
  const { chain, tree } = fixture
  chain.svm.withLogBytesLimit(LOG_BYTES)
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const quiet = expectLanded(await chain.send([order.sender], [authorisation, deposit]))
  expect(quiet.logs.some((line) => line.startsWith('Program data:'))).toBe(true)

  const next = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 2_000_000_000n })
  // Six bytes in the transaction that leave some 250 in its logs, as often as a transaction holds.
  const memo = { programAddress: MEMO, accounts: [], data: new Uint8Array(3).fill(1) }
  const spam = Array.from({ length: 55 }, (): Instruction => memo)
  const spammed = [...spam, ...(await depositPair(fixture, next.terms))]
  const outcome = expectLanded(await chain.send([next.sender], spammed))
  expect(outcome.logs.some((line) => line.includes('Log truncated'))).toBe(true)
  expect(outcome.logs.some((line) => line.startsWith('Program data:'))).toBe(false)

  const found = depositsOf(chain.program, recordOf(next.sender.address, spammed))
  expect(found.map(({ orderId }) => orderId)).toEqual([next.terms.orderId])
  expect(found[0]).toMatchObject({ amountOut: 2_000_000_000n, sender: next.sender.address })
  const ledger = new Ledger()
  ledger.append(order)
  ledger.append(next)
  expect(decodeTree(chain.data(tree) ?? new Uint8Array()).root(1)).toBe(ledger.tree.root)
})
