import { amount, NATIVE_MINT, ownerOf, packOwner, unixSeconds, type Ticket } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { encodePlan, encodeTerms, type BalanceNote } from '../../domain/order-secrets.ts'
import { isSpentNote, type SpentNoteDependencies } from './spent-note.ts'

const ID = new Uint8Array(16).fill(7)
const OWNER = ownerOf(3n)
const [DEADLINE, EXPIRY] = [unixSeconds(600n), unixSeconds(90_000n)]
const ticket: Ticket = {
  ...{ program: NATIVE_MINT, orderId: ID },
  note: {
    ...{ nk: 7n, sender: NATIVE_MINT, mint: NATIVE_MINT, value: amount(5n) },
    ...{ claim: { kind: 'balance', owner: OWNER }, deadline: DEADLINE, expiry: EXPIRY },
  },
}

/** The order of the ticket's balance, and the note that its last payment left. */
function known(
  note: BalanceNote | undefined,
  { owner = OWNER, expiry = EXPIRY, isReadable = true, damaged = '' } = {},
): SpentNoteDependencies {
  const order = {
    ...{ id: ID, epoch: 1, sender: NATIVE_MINT, destinationMint: NATIVE_MINT },
    ...{ deadline: DEADLINE, expiry, sealedPlan: encodePlan({ deliverAtMs: 0, note }) },
    sealedTerms: encodeTerms({
      ...{ recipient: NATIVE_MINT, owner: Buffer.from(packOwner(owner)).toString('hex') },
      ...{ accountExisted: true, minDelaySeconds: 0, maxDelaySeconds: 0 },
    }),
  }
  const secrets = {
    open: (_id: Uint8Array, label: string, sealed: Uint8Array) => {
      if (label === damaged) throw new Error('the seal is broken')
      return damaged === `${label}, in another form` ? new Uint8Array([1]) : sealed
    },
  }
  return {
    orders: { readOrder: async (account: string) => (account === 'a' ? { order } : undefined) },
    secrets: {
      read: async () => {
        if (!isReadable) throw new Error('the keystore cannot be read')
        return secrets
      },
    },
  } as unknown as SpentNoteDependencies
}

const LATER = {
  deadline: unixSeconds(DEADLINE + 86_400n),
  expiry: unixSeconds(EXPIRY + 86_400n),
}
const NEWEST: BalanceNote = { nk: 8n, value: amount(4n), leafIndex: 12, ...LATER }

it('a note counts as spent if the service has a later note of the same balance', async () => {
  expect(await isSpentNote(known(NEWEST), 'a', ticket, 5)).toBe(true)
  expect(await isSpentNote(known(NEWEST), 'a', ticket, 12)).toBe(false)
  expect(await isSpentNote(known(undefined), 'a', ticket, 5)).toBe(false)
})

it('a note with a postponed end counts as spent too', async () => {
  const moved = { ...ticket, note: { ...ticket.note, ...LATER } }
  expect(await isSpentNote(known(NEWEST), 'a', moved, 5)).toBe(true)
  expect(await isSpentNote(known(NEWEST), 'a', moved, 12)).toBe(false)
  const shorter = { ...moved.note, expiry: unixSeconds(LATER.expiry - 600n) }
  expect(await isSpentNote(known(NEWEST), 'a', { ...ticket, note: shorter }, 5)).toBe(false)
})

it('a note does not count as spent if its ticket names the order of another balance', async () => {
  const other = { owner: ownerOf(4n) }
  expect(await isSpentNote(known(NEWEST, other), 'a', ticket, 5)).toBe(false)
  const later = { expiry: unixSeconds(EXPIRY + 600n) }
  expect(await isSpentNote(known(NEWEST, later), 'a', ticket, 5)).toBe(false)
  expect(await isSpentNote(known(NEWEST), 'another account', ticket, 5)).toBe(false)
})

it('a note does not count as spent if the keystore fails', async () => {
  expect(await isSpentNote(known(NEWEST, { isReadable: false }), 'a', ticket, 5)).toBe(false)
})

it.each(['terms', 'plan', 'terms, in another form', 'plan, in another form'])(
  'a note does not count as spent if its order is damaged: %s',
  async (damaged) => {
    expect(await isSpentNote(known(NEWEST, { damaged }), 'a', ticket, 5)).toBe(false)
  },
)
