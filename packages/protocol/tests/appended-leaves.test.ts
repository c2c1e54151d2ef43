import { address, getBase58Decoder, type Address, type Instruction } from '@solana/kit'
import { beforeAll, expect, it } from 'vitest'
import {
  amount,
  appendedOf,
  depositInstruction,
  NATIVE_MINT,
  settleInstruction,
  settlementsOf,
  unixSeconds,
  type TransactionRecord,
} from '../index.ts'

const program = address('Sotto11111111111111111111111111111111111111')
const copy = address('Copy111111111111111111111111111111111111111')
const tree = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const wallet = address('Ed25519SigVerify111111111111111111111111111')

let deposit: Instruction
let settle: Instruction
beforeAll(async () => {
  deposit = await depositInstruction(
    { program, tree },
    {
      ...{ orderId: new Uint8Array(16), sender: wallet, inner: 5n, payload: new Uint8Array(65) },
      ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, partnerFee: amount(0n) },
      ...{ amountIn: amount(7n), value: amount(7n) },
      ...{ deadline: unixSeconds(600n), validUntil: unixSeconds(600n) },
    },
  )
  settle = await settleInstruction({ program, tree, payer: wallet }, NATIVE_MINT, {
    ...{ isRefund: false, root: { kind: 'recent', index: 3 }, nullifier: 8n, changeLeaf: 9n },
    ...{ payout: amount(4n), fee: amount(1n), payee: wallet, time: unixSeconds(600n) },
    proof: new Uint8Array(256),
  })
})

/** A transaction as a node returns it: each top-level instruction with the inner instructions that it called. */
function recordOf(
  instructions: readonly (readonly [Instruction, ...Instruction[]])[],
  err: object | null = null,
): TransactionRecord {
  const all = instructions.flat()
  const named = all.flatMap(({ programAddress, accounts = [] }) => [
    programAddress,
    ...accounts.map((account) => account.address),
  ])
  const keys = [...new Set<Address>(named)]
  const compile = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) => ({
    programIdIndex: keys.indexOf(programAddress),
    accounts: accounts.map((account) => keys.indexOf(account.address)),
    data: getBase58Decoder().decode(data),
  })
  const half = Math.ceil(keys.length / 2)
  return {
    transaction: {
      message: {
        accountKeys: keys.slice(0, half),
        instructions: instructions.map(([top]) => compile(top)),
      },
    },
    meta: {
      err,
      innerInstructions: instructions.map(([, ...inner], index) => ({
        index,
        instructions: inner.map(compile),
      })),
      loadedAddresses: { writable: keys.slice(half), readonly: [] },
    },
  }
}

const kindsOf = (record: TransactionRecord) => appendedOf(program, record).map(({ kind }) => kind)

it('lists the leaves of deposits and settlements in execution order', () => {
  const caller: Instruction = { programAddress: copy, data: new Uint8Array([1]) }
  const record = recordOf([[settle], [caller, deposit, settle], [deposit]])
  expect(kindsOf(record)).toEqual(['change', 'deposit', 'change', 'deposit'])
  const [change, made] = appendedOf(program, record)
  expect(change).toEqual({ kind: 'change', leaf: 9n })
  expect(made).toMatchObject({ data: { sender: wallet, value: 7n, inner: 5n } })
  expect(settlementsOf(program, record)).toHaveLength(2)
})

it('lists no leaf for a failed transaction or another program', () => {
  expect(kindsOf(recordOf([[deposit], [settle]], { InstructionError: [1, 'Custom'] }))).toEqual([])
  const copied = [deposit, settle].map((one) => ({ ...one, programAddress: copy }))
  expect(kindsOf(recordOf([[copied[0]!], [copied[1]!]]))).toEqual([])
})
