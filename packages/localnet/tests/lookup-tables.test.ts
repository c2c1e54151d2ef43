import type { Address, Blockhash } from '@solana/kit'
import {
  AccountRole,
  appendTransactionMessageInstruction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { expect, test } from 'vitest'
import { decodeTransaction } from '../src/chain/decoded-transaction.ts'
import { openChain } from '../src/open-chain.ts'

const TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address
const lag = { confirmed: 1, finalized: 3 }

/** The data of a lookup table that was never deactivated, was extended long ago and has no authority. */
function tableData(addresses: readonly Address[]): Uint8Array {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1, 0)
  head.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 4)
  return Buffer.concat([
    head,
    ...addresses.map((each) => new Uint8Array(getAddressEncoder().encode(each))),
  ])
}

test('a transaction with a lookup table reports loaded accounts, balances and history', async () => {
  const { chain, faucet } = await openChain({
    dataFolder: null,
    programs: [],
    lag,
    onJournalFailure: () => undefined,
  })
  const [table, unused, other, watcher] = await Promise.all(
    Array.from({ length: 4 }, async () => (await generateKeyPairSigner()).address),
  )
  if (!table || !unused || !other || !watcher) throw new Error('an address is missing')
  const entries = [unused, watcher, other]
  chain.writeAccount(table, {
    lamports: 10_000_000n,
    owner: TABLE_PROGRAM,
    executable: false,
    data: tableData(entries),
  })
  const transfer = getTransferSolInstruction({
    source: faucet.signer,
    destination: other,
    amount: 1_000_000n,
  })
  const watched = { address: watcher, role: AccountRole.READONLY } as const
  const lifetime = {
    blockhash: chain.blockhashes.hashOf(chain.tip.slot) as Blockhash,
    lastValidBlockHeight: 0n,
  }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayerSigner(faucet.signer, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) =>
      appendTransactionMessageInstruction(
        { ...transfer, accounts: [...transfer.accounts, watched] },
        each,
      ),
    (each) => compressTransactionMessageUsingAddressLookupTables(each, { [table]: entries }),
  )
  const signed = await signTransactionMessageWithSigners(message)
  const wire = new Uint8Array(getTransactionEncoder().encode(signed))
  const [execution] = chain.execute([decodeTransaction(wire)])
  if (execution?.kind !== 'landed') throw new Error(JSON.stringify(execution))
  const { record } = execution
  expect(record.outcome.err).toBeNull()
  expect(record.loaded).toEqual({ writable: [other], readonly: [watcher] })
  expect(record.accountKeys.slice(-2)).toEqual([other, watcher])
  expect(record.postBalances.at(-2)).toBe(1_000_000n)
  expect(record.fee).toBe(5_000n)
  expect([...chain.ledger.mentioning(watcher, {})]).toEqual([record])
})
