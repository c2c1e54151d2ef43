import {
  encodeTicket,
  NATIVE_MINT,
  amount,
  ownerOf,
  unixSeconds,
  type Ticket,
} from '@sotto/protocol'
import { describe, expect, it } from 'vitest'
import { Balance, memoryBalance, shownBalanceIn, shownNoteIn, storedBalance } from '../balance.ts'
import { BalanceRecord } from '../src/balance/balance-state.ts'

const SECRET = 77n
const SENDER = 'SysvarC1ock11111111111111111111111111111111'
const PROGRAM = 'SysvarRent111111111111111111111111111111111'

const ticket: Ticket = {
  program: PROGRAM as Ticket['program'],
  orderId: new Uint8Array(16).fill(0xab),
  secret: SECRET,
  note: {
    mint: NATIVE_MINT,
    sender: SENDER as Ticket['note']['sender'],
    value: amount(1_234n),
    deadline: unixSeconds(1_800_000_000n),
    expiry: unixSeconds(1_800_086_400n),
    nk: 5n,
    claim: { kind: 'balance', owner: ownerOf(SECRET) },
  },
}
const text = encodeTicket(ticket)
const request = { to: SENDER, amount: '10' }
const paid = { trackingId: 'tr_1', payout: '10', fee: '1', signature: null }
const saved = (more: object) =>
  JSON.stringify({
    version: 1,
    secret: 'aa',
    topUp: null,
    ticket: text,
    leafIndex: '0',
    payments: {},
    ...more,
  })

describe('the text of a stored balance', () => {
  it('shows the payments that the store has no record of', () => {
    const unrecorded = [{ to: SENDER, payout: '10', signature: null }]
    expect(shownBalanceIn(saved({ unrecorded })).unrecorded).toEqual(unrecorded)
    expect(shownBalanceIn(saved({})).unrecorded).toEqual([])
  })

  it('shows the remaining value, the end, and a ticket without the secret', () => {
    const { note, topUp, assetId, senderAddress } = shownBalanceIn(saved({}))
    expect({ topUp, assetId, senderAddress }).toEqual({
      topUp: undefined,
      assetId: NATIVE_MINT,
      senderAddress: SENDER,
    })
    expect(note).toMatchObject({
      ...{ ticket: text, value: 1_234n, orderId: 'ab'.repeat(16) },
      ...{ linkableUntil: 1_800_003_600n, endsAt: 1_800_086_400n, lifeSeconds: 86_400n },
    })
    expect(note?.publicTicket).toBe(encodeTicket({ ...ticket, secret: undefined }))
    expect(note?.publicTicket).not.toBe(text)
  })

  it('shows until when a payment’s time points to the top-up', async () => {
    const midnight = unixSeconds(1_800_057_600n)
    const renewed = encodeTicket({ ...ticket, note: { ...ticket.note, deadline: midnight } })
    const first = { ticket: renewed, firstDeadline: '1800000000' }
    const text = saved({ ...first, landedBy: '1799998000' })
    expect(midnight % 86_400n).toBe(0n)
    expect(shownBalanceIn(text).note?.linkableUntil).toBe(1_800_001_800n)
    expect(await storedBalance(memoryBalance(text))).toMatchObject({
      linkableUntil: 1_800_001_800n,
    })
    // A store of an older version, or of a restored balance, doesn't say when the deposit landed.
    expect(shownBalanceIn(saved(first)).note?.linkableUntil).toBe(1_800_003_600n)
  })

  it('links payments to the top-up for at least an hour after the deposit, whatever the deadline is', () => {
    const deadline = 1_800_000_000n
    for (const left of [0n, 60n, 600n, 1_799n, 1_800n, 2_400n, 3_600n]) {
      const landed = deadline - left
      const stored = { firstDeadline: `${deadline}`, landedBy: `${landed}` }
      const until = shownBalanceIn(saved(stored)).note!.linkableUntil
      expect(until).toBe(left < 1_800n ? landed + 3_600n : deadline + 1_800n)
      expect(until).toBeGreaterThanOrEqual(landed + 3_600n)
      expect(shownNoteIn(text).linkableUntil).toBeGreaterThanOrEqual(landed + 3_600n)
    }
    // A process that finds the deposit a day later doesn't begin the hour then.
    const late = { firstDeadline: `${deadline}`, landedBy: `${deadline + 86_400n}` }
    expect(shownBalanceIn(saved(late)).note!.linkableUntil).toBe(deadline + 3_600n)
  })

  it('shows payments with the keys that their caller gave them', () => {
    const payments = {
      'one:invoice 7': { request, step: 'paid', paid },
      'line:3:payroll': { request, step: 'quoted', quote: {}, balance: '' },
      close: {
        request: { ...request, mode: 'exact_in' },
        step: 'signed',
        trackingId: 'x',
        terms: {},
      },
    }
    const common = { to: SENDER, amount: '10', paid: undefined }
    expect(shownBalanceIn(saved({ payments })).payments).toEqual([
      { ...common, key: 'invoice 7', isClosing: false, mode: 'exact_out', step: 'paid', paid },
      { ...common, key: undefined, isClosing: false, mode: 'exact_out', step: 'quoted' },
      { ...common, key: undefined, isClosing: true, mode: 'exact_in', step: 'signed' },
    ])
  })

  it('shows a deposit that has not landed', () => {
    const asked = { sourceAssetId: NATIVE_MINT, senderAddress: SENDER, amount: '5' }
    const topUp = { step: 'asked', transferId: 'x', request: asked }
    const stored = shownBalanceIn(saved({ ticket: null, topUp }))
    expect(stored).toMatchObject({ topUp, assetId: NATIVE_MINT, senderAddress: SENDER })
    expect(stored.note).toBeUndefined()
  })

  it('is refused if another version wrote it', () => {
    expect(() => shownBalanceIn(saved({ version: 2 }))).toThrow('another version')
  })
})

it('a ticket without its secret is not accepted as a balance’s ticket', () => {
  expect(() => shownNoteIn(encodeTicket({ ...ticket, secret: undefined }))).toThrow('secret')
  expect(shownNoteIn(`${text}`).orderId).toBe('ab'.repeat(16))
})

it('drops a payment that was only quoted, but no payment that was signed or made', async () => {
  const payments = {
    'one:quoted': { request, step: 'quoted', quote: {}, balance: '' },
    'one:signed': { request, step: 'signed', trackingId: 'x', terms: {} },
    'one:paid': { request, step: 'paid', paid },
    'line:0:payroll': { request, step: 'quoted', quote: {}, balance: '' },
    close: { request, step: 'quoted', quote: {}, balance: '' },
  }
  const store = memoryBalance(saved({ payments }))
  const record = await BalanceRecord.read(store)
  // The function uses only the store, so the context can be empty.
  await new Balance({} as never, record!).dropUnsigned()
  const left = shownBalanceIn((await store.read()) ?? '')
  // The line of a list stays, because the caller that pays the list still needs it.
  expect(left.payments.map(({ key }) => key)).toEqual(['signed', 'paid', undefined])
})
