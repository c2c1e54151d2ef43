import { wasmPoseidon } from '@sotto/poseidon'
import { amount, NATIVE_MINT, ownerOf, unixSeconds, type Ticket } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { PlacesByName } from '../../running/places-by-name.ts'
import { awaitNote, findNote } from './find-note.ts'

const EXPIRY = 1_000_200n
const ticket: Ticket = {
  ...{ program: NATIVE_MINT, orderId: new Uint8Array(16) },
  note: {
    ...{ nk: 7n, sender: NATIVE_MINT, mint: NATIVE_MINT, value: amount(5n) },
    claim: { kind: 'balance', owner: ownerOf(3n) },
    ...{ deadline: unixSeconds(600n), expiry: unixSeconds(EXPIRY) },
  },
}

/**
 * A tree that gets the note's leaf late: the search with this number is the first that finds the leaf. Calls are
 * recorded.
 */
function followedAt(search: number) {
  const noteWaits = new PlacesByName(2)
  const done = { searches: 0, wakes: 0, sleptMs: 0 }
  const d = {
    poseidon: wasmPoseidon,
    leaves: {
      find: () => {
        done.searches += 1
        return Promise.resolve(done.searches >= search ? 42 : undefined)
      },
    },
    clock: {
      nowMs: () => 0,
      sleep: (ms: number) => {
        done.sleptMs += ms
        return Promise.resolve()
      },
    },
    wake: () => void (done.wakes += 1),
    noteWaits,
  }
  const domain = new Uint8Array(32)
  return {
    done,
    find: (end = EXPIRY) => findNote(d, domain, ticket, unixSeconds(end)),
    wait: (end = EXPIRY, of = ticket, asker = 'acme') =>
      awaitNote(d, domain, of, unixSeconds(end), asker),
  }
}

it('a quote finds a note in the tree without a pause', async () => {
  const { done, wait } = followedAt(1)
  expect(await wait()).toBe(42)
  expect(done).toEqual({ searches: 1, wakes: 0, sleptMs: 0 })
})

it('a quote makes settlement check the chain once, and waits for the note', async () => {
  const { done, wait } = followedAt(4)
  expect(await wait()).toBe(42)
  expect(done).toMatchObject({ searches: 4, wakes: 1 })
})

it('a quote is refused within two seconds if its note does not appear', async () => {
  const { done, wait } = followedAt(Number.POSITIVE_INFINITY)
  await expect(wait()).rejects.toMatchObject({ code: 'BALANCE_NOT_FOUND' })
  expect(done.sleptMs).toBeLessThan(2_000)
  // Anyone can cause such waits with invented tickets, so each wait makes only a few searches.
  expect(done.searches).toBeLessThanOrEqual(10)
})

it('refuses a missing note immediately if too many quotes of the same asker wait', async () => {
  const { done, wait } = followedAt(Number.POSITIVE_INFINITY)
  const waits = [wait(), wait(), wait(), wait(EXPIRY, ticket, 'other')]
  const refused = { status: 'rejected', reason: { code: 'BALANCE_NOT_FOUND' } }
  expect(await Promise.allSettled(waits)).toMatchObject([refused, refused, refused, refused])
  expect(done.wakes).toBe(3)
  // The places are free again.
  await expect(wait()).rejects.toMatchObject({ code: 'BALANCE_NOT_FOUND' })
  expect(done.wakes).toBe(4)
})

it('an order does not wait for its note', async () => {
  const { done, find } = followedAt(2)
  await expect(find()).rejects.toMatchObject({ code: 'BALANCE_NOT_FOUND' })
  expect(done).toEqual({ searches: 1, wakes: 0, sleptMs: 0 })
})

it('a note is refused while its deadline is too far ahead for a proof', async () => {
  const { done, wait } = followedAt(1)
  // A payment can't be proved earlier than one hour before the note's deadline. A payment ends at least ten minutes
  // after its order.
  const far = { ...ticket, note: { ...ticket.note, deadline: unixSeconds(500_000n) } }
  const at = (end: bigint) => wait(end, far)
  await expect(at(496_400n + 599n)).rejects.toMatchObject({
    ...{ code: 'BALANCE_NOT_FOUND', context: { retryAfterSeconds: 1 } },
  })
  expect(done.searches).toBe(0)
  expect(await at(496_400n + 600n)).toBe(42)
})

it('a balance that ends before the payment is refused without a search', async () => {
  const { done, wait } = followedAt(1)
  await expect(wait(EXPIRY + 1n)).rejects.toMatchObject({ code: 'BALANCE_ENDED' })
  expect(done.searches).toBe(0)
})
