import type { Address } from '@sotto/protocol'
import type { KeyPairSigner, Rpc, SendTransactionApi } from '@solana/kit'
import { expect } from 'vitest'
import { memoryTickets, OrderRefusedError, signAndSubmit, verifyOrder } from '../../wallet.ts'
import type { Answered } from './attack.ts'
import { inputOf, type HonestOrder } from './honest-order.ts'

/** A wallet that checks nothing, returns no signatures, and counts how often it is asked to sign. */
export function carelessWallet(sender: Address) {
  const seen = { asked: 0 }
  const signer = {
    address: sender,
    signTransactions: async () => {
      seen.asked += 1
      return []
    },
  } as unknown as KeyPairSigner
  return { seen, signer }
}

/** A node that no test may call: every order is refused before the wallet is asked. */
const unasked = new Proxy({} as Rpc<SendTransactionApi>, {
  get: () => {
    throw new Error('a refused order reached a node')
  },
})

/** The codes with which the SDK refuses a response. Neither the wallet nor a node may have been asked. */
export async function refusalsOf(
  honest: HonestOrder,
  { order, quote }: Answered,
): Promise<string[]> {
  const { seen, signer } = carelessWallet(honest.expected.sender)
  let refusals: string[] = []
  try {
    const verified = await verifyOrder({ ...inputOf(honest), order, quote })
    await signAndSubmit(verified, { signer, rpc: unasked, tickets: memoryTickets() })
  } catch (error) {
    if (!(error instanceof OrderRefusedError)) throw error
    for (const { message } of error.refusals) {
      expect(message, 'the fault, in words').toMatch(/^\S+ \S+ \S+/)
      expect(error.message).toContain(message)
    }
    refusals = error.refusals.map(({ code }) => code)
  }
  expect(seen.asked, 'times that the wallet was asked').toBe(0)
  return refusals
}
