import { wasmPoseidon } from '@sotto/poseidon'
import {
  amount,
  changeOf,
  encodeTicket,
  leafOfNote,
  NATIVE_MINT,
  nullifierOf,
  ownerOf,
  paymentMessage,
  signPayment as signTerms,
  unixSeconds,
  type Note,
} from '@sotto/protocol'
import { expect, it } from 'vitest'
import { encodePayment } from '../../domain/payment-terms.ts'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import type { SignOutcome } from '../../ports/order-store.ts'
import type { ServiceError } from '../service-error.ts'
import { CLOCK_AGE_MAX_MS } from './payment-end.ts'
import { signPayment, type SignDependencies } from './sign-payment.ts'

const [SECRET, LEAF, END] = [3n, 5, 1_200n]
const ID = new Uint8Array(16).fill(7)
const DOMAIN = new Uint8Array(32).fill(1)
const note: Note = {
  ...{ nk: 7n, sender: NATIVE_MINT, mint: NATIVE_MINT, value: amount(9n) },
  claim: { kind: 'balance', owner: ownerOf(SECRET) },
  ...{ deadline: unixSeconds(600n), expiry: unixSeconds(90_000n) },
}
const [payout, fee] = [amount(2n), amount(1n)]
const nullifier = nullifierOf(wasmPoseidon, note.nk, BigInt(LEAF))
const change = changeOf(wasmPoseidon, note, {
  ...{ nullifier, secret: SECRET, change: amount(6n), validUntil: unixSeconds(END) },
})
const changeLeaf = leafOfNote(wasmPoseidon, DOMAIN, change)
const hexOf = (value: bigint) => value.toString(16).padStart(64, '0')

/** The owner's signature and the key of the change, for a payment of 2 with a fee of 1. */
function signed() {
  const message = paymentMessage(wasmPoseidon, {
    ...{ nullifier, payee: NATIVE_MINT, payout, fee, changeLeaf },
    validUntil: unixSeconds(END),
  })
  const { S, R8 } = signTerms(wasmPoseidon, SECRET, message)
  const signature = { S: hexOf(S), R8x: hexOf(R8.x), R8y: hexOf(R8.y) }
  return { changeNk: hexOf(change.nk), signature }
}

/**
 * Signs the payment while the tree has these leaves. Returns whether the signature was stored, and the code and the
 * retry delay of the error.
 */
async function sign(
  leaves: ReadonlyMap<bigint, number>,
  status = 'awaiting_signature',
  outcome: SignOutcome = 'signed',
) {
  let isStored = false
  const ages: number[] = []
  const sealedTerms = encodePayment({
    ticket: encodeTicket({ program: NATIVE_MINT, orderId: ID, note }),
    ...{ leafIndex: LEAF, payee: NATIVE_MINT, payout, fee, accountExisted: true },
  })
  const d = {
    ...{ poseidon: wasmPoseidon, clock: { nowMs: () => 5 }, wake: () => undefined },
    market: { fresh: async () => ({ pool: { domain: DOMAIN } }) },
    chain: {
      readHead: async (ageMaxMs = 0) => {
        ages.push(ageMaxMs)
        return { unixSeconds: END - 600n }
      },
    },
    leaves: { find: async (leaf: bigint) => leaves.get(leaf) },
    secrets: {
      read: async () => ({
        epoch: 1,
        fingerprint: (text: string) => new TextEncoder().encode(text),
        open: (_id: Uint8Array, _label: string, sealed: Uint8Array) => sealed,
        seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      }),
    },
    orders: {
      readPayment: async () => ({ status, epoch: 1, validUntil: END, sealedTerms }),
      readOrder: async () => undefined,
      trySign: async () => {
        isStored = outcome === 'signed'
        return outcome
      },
      readReservedUntil: async () => END,
    },
  } as unknown as SignDependencies
  const answer = signPayment(d, 'a', encodeTrackingId(ID), signed())
  // Tests with the real store check the status in the response, so this helper reads only the error.
  const refusal = await answer.then(
    () => undefined,
    (error: ServiceError) => error,
  )
  return { isStored, ages, code: refusal?.code, seconds: refusal?.context?.retryAfterSeconds }
}

it('a signature is refused if the payment’s change is in the tree already', async () => {
  const spent = await sign(new Map([[changeLeaf, LEAF + 1]]))
  expect(spent).toMatchObject({ isStored: false, code: 'NOTE_IN_USE', seconds: 30 })
  expect((await sign(new Map())).isStored).toBe(true)
  // A leaf before the note's own leaf can't be the change of that note.
  expect((await sign(new Map([[changeLeaf, LEAF - 1]]))).isStored).toBe(true)
})

it('a signature may use a clock reading that is a quarter of a second old', async () => {
  expect((await sign(new Map())).ages).toEqual([CLOCK_AGE_MAX_MS])
})

it('a signature is refused while another payment leaves the same change', async () => {
  const refused = await sign(new Map(), 'awaiting_signature', 'change_in_use')
  expect(refused).toMatchObject({ isStored: false, code: 'NOTE_IN_USE', seconds: 601 })
})

it('a signed payment accepts its signature again after its change has landed', async () => {
  const again = await sign(new Map([[changeLeaf, LEAF + 1]]), 'delivering')
  expect([again.isStored, again.code === 'NOTE_IN_USE']).toEqual([false, false])
})
