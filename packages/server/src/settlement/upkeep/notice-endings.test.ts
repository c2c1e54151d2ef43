import { amount, unixSeconds, type UnixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { NearEnd } from '../../ports/upkeep-records.ts'
import { endingNotifier } from './notice-endings.ts'

const DAY = 86_400n
const [DEADLINE, EXPIRY] = [unixSeconds(0n), unixSeconds(30n * DAY)]
const orderId = new Uint8Array(16).fill(7)

/** A balance whose end a test can postpone, and the notices that were written for it. */
function balance() {
  const notices: (Omit<NearEnd, 'orderId'> & { readonly isOpen: boolean })[] = []
  const state: { end: UnixSeconds; isOpen: boolean } = { end: EXPIRY, isOpen: true }
  let now = unixSeconds(0n)
  const opened = () => ({
    order: { orderId },
    terms: { owner: 'an owner' },
    note: { value: amount(5n), expiry: state.end },
    plan: {},
  })
  const step = endingNotifier({
    store: {
      readCursor: async () => ({ unixSeconds: now }),
      listEnding: async () => [{ orderId, deadline: DEADLINE, expiry: EXPIRY }],
      listOpen: async (ids: readonly Uint8Array[]) =>
        state.isOpen ? ids.map((id) => ({ orderId: id })) : [],
      tryNoticeEnd: async ({ end, isRenewed }: NearEnd, isOpen: boolean) => {
        notices.push({ end, isRenewed, isOpen })
        return true
      },
    },
    opener: { openAll: async (orders: readonly unknown[]) => orders.map(opened) },
    clock: { nowMs: () => 0 },
  } as unknown as Parameters<typeof endingNotifier>[0])
  const at = async (seconds: bigint) => {
    now = unixSeconds(seconds)
    await step()
    return notices.splice(0)
  }
  return { state, at }
}

it('notifies three days before each end', async () => {
  const { state, at } = balance()
  const from = EXPIRY - 3n * DAY
  const first = { end: EXPIRY, isRenewed: false, isOpen: true }
  expect([await at(from - 1n), await at(from), await at(from + 60n)]).toEqual([[], [first], []])
  state.end = unixSeconds(EXPIRY + 28n * DAY)
  expect(await at(EXPIRY + 1n)).toEqual([])
  const again = { end: state.end, isRenewed: true, isOpen: true }
  const later = state.end - 3n * DAY
  expect([await at(later - 1n), await at(later), await at(later + 1n)]).toEqual([[], [again], []])
  expect(await at(state.end)).toEqual([])
})

it('writes the notice of the first end even if the order is already final', async () => {
  const { state, at } = balance()
  state.isOpen = false
  expect(await at(EXPIRY - 1n)).toEqual([{ end: EXPIRY, isRenewed: false, isOpen: false }])
  expect(await at(EXPIRY)).toEqual([])
})
