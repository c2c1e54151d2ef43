import { fieldToBytes, NATIVE_MINT } from '@sotto/protocol'
import type { RecoveryRpc } from '@sotto/recovery'
import { getBase58Decoder, getBase64Decoder, type Address } from '@solana/kit'
import type { SampleChain } from './sample-chain.ts'

/**
 * The layout of a settlement's instruction: its tag, its length in bytes, and the offset of the leaf that it appends.
 */
const [SETTLE_TAG, SETTLE_BYTES, CHANGE_LEAF] = [9, 381, 85]
const PAGE = 1_000

interface Listed {
  readonly signature: string
  readonly slot: bigint
  readonly err: unknown
}

/** A settlement in the format in which a node returns it. */
function settlement(program: Address, leaf: bigint): object {
  const data = new Uint8Array(SETTLE_BYTES)
  data[0] = SETTLE_TAG
  data.set(fieldToBytes(leaf), CHANGE_LEAF)
  return record(program, getBase58Decoder().decode(data))
}

const record = (program: Address, data: string): object => ({
  transaction: {
    message: {
      accountKeys: [program],
      instructions: [{ programIdIndex: 0, accounts: [], data }],
    },
  },
  meta: { err: null, innerInstructions: [], loadedAddresses: null },
})

/**
 * A node that answers immediately, so that only the work of recovery is measured. For each transaction that appended a
 * leaf, there is one spam transaction. It names the tree but doesn't change it. Every second spam transaction failed.
 */
export function sampleNode({ ticket, leaves, accounts }: SampleChain): RecoveryRpc {
  const { program } = ticket
  const listed: Listed[] = []
  const records = new Map<string, object>()
  const add = (signature: string, shown: object | undefined) => {
    listed.push({ signature, slot: BigInt(listed.length + 1), err: shown ? null : {} })
    if (shown !== undefined) records.set(signature, shown)
  }
  const spam = record(NATIVE_MINT, '1')
  for (const [place, leaf] of leaves.entries()) {
    add(`leaf${place}`, settlement(program, leaf))
    add(`spam${place}`, place % 2 === 0 ? spam : undefined)
  }
  listed.reverse()
  const places = new Map(listed.map(({ signature }, place) => [signature, place]))
  const answer = <T>(value: T) => ({ send: () => Promise.resolve(value) })
  const shownAccount = (data: Uint8Array | undefined) =>
    data === undefined
      ? null
      : { owner: program, data: [getBase64Decoder().decode(data), 'base64'] as const }
  return {
    getAccountInfo: (account: Address) =>
      answer({
        context: { slot: BigInt(listed.length + 1) },
        value: shownAccount(accounts.get(account)),
      }),
    getSignaturesForAddress: (_: Address, { before }: { before?: string }) => {
      const from = before === undefined ? 0 : (places.get(before) ?? 0) + 1
      return answer(listed.slice(from, from + PAGE))
    },
    getTransaction: (signature: string) => answer(records.get(signature) ?? null),
  } as unknown as RecoveryRpc
}
