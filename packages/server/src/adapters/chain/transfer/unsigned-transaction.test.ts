import {
  AccountRole,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Instruction,
} from '@solana/kit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unsignedTransaction } from './unsigned-transaction.ts'

function compiledByKit(feePayer: Address, instructions: readonly Instruction[], hash: string) {
  const lifetime = { blockhash: blockhash(hash), lastValidBlockHeight: 1n }
  return getBase64EncodedWireTransaction(
    compileTransaction(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayer(feePayer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    ),
  )
}

const address = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => getAddressDecoder().decode(bytes))
const ROLES = [
  AccountRole.READONLY,
  AccountRole.WRITABLE,
  AccountRole.READONLY_SIGNER,
  AccountRole.WRITABLE_SIGNER,
]

/** Messages with few addresses and many accounts, so that most addresses are named more than once. */
const messages = fc.array(address, { minLength: 3, maxLength: 12 }).chain((known) => {
  const one = fc.constantFrom(...known)
  const account = fc.record({ address: one, role: fc.constantFrom(...ROLES) })
  const instruction = fc.record({
    programAddress: address,
    accounts: fc.array(account, { maxLength: 14 }),
    data: fc.uint8Array({ maxLength: 300 }),
  })
  return fc.tuple(one, fc.array(instruction, { minLength: 1, maxLength: 4 }), address)
})

it('makes the same bytes as the client library', () => {
  fc.assert(
    fc.property(messages, ([feePayer, instructions, hash]) => {
      const own = unsignedTransaction(feePayer, instructions, hash)
      expect(own).toBe(compiledByKit(feePayer, instructions, hash))
    }),
  )
})
