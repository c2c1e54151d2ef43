import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import {
  LedgerFolder,
  LIMITS,
  lost,
  NO_PERSON,
  POINTS,
  send,
  TestPurse,
  TO,
  type Point,
} from '../../../tests/mcp/test-desk.ts'
import { PaymentDesk } from './payment-desk.ts'

let on: LedgerFolder
beforeEach(async () => {
  on = await LedgerFolder.make()
})
afterEach(() => on.remove())

const KEY = 'interrupted'
const UNITS = 50n
const MOST = 55n

/** Ends the server's process at this point of a payment, and starts another process. */
async function crashAt(purse: TestPurse, point: Point): Promise<void> {
  const desk = await on.deskOf(purse)
  const reached = new Promise<void>((resolve) => {
    purse.reached = (at) => {
      if (at !== point) return Promise.resolve()
      resolve()
      return new Promise(() => undefined)
    }
  })
  void desk.send({ key: KEY, to: TO, amount: amount(UNITS) }, NO_PERSON)
  await reached
  purse.reached = async () => undefined
}

/** Makes a signed payment land after the crash: a payment that was signed can land without the process. */
function land(purse: TestPurse, point: Point): void {
  if (point !== 'signed') return
  purse.paid.push({ key: KEY, amount: amount(UNITS), most: amount(MOST) })
}

/** The desk of the next process, after the SDK has waited for the end of every signed payment. */
async function restarted(purse: TestPurse): Promise<PaymentDesk> {
  const desk = new PaymentDesk(await on.restart(), LIMITS, purse)
  await desk.reconcile()
  return desk
}

describe('a payment whose server was killed', () => {
  it.each(POINTS)(
    'is paid once by the same key, and counts once, after a crash at the point %s',
    async (at) => {
      const purse = new TestPurse()
      await crashAt(purse, at)
      land(purse, at)
      if (at === 'signed') purse.store.set(KEY, { ...purse.store.get(KEY), step: 'paid' })
      const desk = await restarted(purse)
      const isPaid = at === 'signed' || at === 'paid'
      expect(desk.find(KEY)).toMatchObject({ state: isPaid ? 'paid' : 'not_paid' })
      expect(desk.leftToday).toBe(isPaid ? 196n : 250n)
      expect(await send(desk, UNITS, { key: KEY })).toBe('paid')
      expect(purse.paid).toHaveLength(1)
      expect(desk.leftToday).toBe(196n)
    },
  )

  it('keeps counting, and is not paid again, if one node shows that it cannot land any more', async () => {
    const purse = new TestPurse()
    await crashAt(purse, 'signed')
    land(purse, 'signed')
    // The SDK drops the signature. If the node lied, the payment has landed.
    purse.store.set(KEY, { mark: purse.store.get(KEY)!.mark!, hasLapsed: true })
    const desk = await restarted(purse)
    expect(desk.find(KEY)).toMatchObject({ state: 'unknown' })
    expect(desk.leftToday).toBe(250n - MOST)
    expect(await send(desk, UNITS, { key: KEY })).toBe('OUTCOME_UNKNOWN')
    expect(purse.paid).toHaveLength(1)
  })
})

describe('a payment whose store was replaced', () => {
  it.each(['marking', 'marked'] as const)(
    'no longer counts after a crash at the point %s, before which nothing may be signed',
    async (at) => {
      const purse = new TestPurse()
      await crashAt(purse, at)
      purse.store = new Map()
      const desk = await restarted(purse)
      expect(desk.find(KEY)).toMatchObject({ state: 'not_paid' })
      expect(await send(desk, UNITS, { key: KEY })).toBe('paid')
      expect(purse.paid).toHaveLength(1)
    },
  )

  it.each(['begun', 'signed', 'paid'] as const)(
    'still counts against the limit, and is not paid again, after a crash at the point %s',
    async (at) => {
      const purse = new TestPurse()
      await crashAt(purse, at)
      land(purse, at)
      purse.store = new Map()
      const paidBefore = purse.paid.length
      for (let start = 0; start < 2; start += 1) {
        const desk = await restarted(purse)
        expect(desk.find(KEY)).toMatchObject({ state: 'unknown' })
        expect(desk.leftToday).toBe(250n - MOST)
        expect(await send(desk, UNITS, { key: KEY })).toBe('OUTCOME_UNKNOWN')
        expect(await send(desk, UNITS + 1n, { key: KEY })).toBe('KEY_REUSED')
      }
      expect(purse.paid).toHaveLength(paidBefore)
    },
  )

  it('still counts if the new store has only the mark of an earlier attempt', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse)
    purse.before = lost
    expect(await send(desk, UNITS, { key: KEY })).toBe('SERVICE_UNREACHABLE')
    const backup = new Map(purse.store)
    purse.before = async () => undefined
    purse.after = lost
    expect(await send(desk, UNITS, { key: KEY })).toBe('SERVICE_UNREACHABLE')
    purse.store = backup
    const again = await restarted(purse)
    expect(again.find(KEY)).toMatchObject({ state: 'unknown' })
    expect(await send(again, UNITS, { key: KEY })).toBe('OUTCOME_UNKNOWN')
  })

  it('has an unknown outcome even without a restart', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse)
    purse.after = async () => {
      purse.store = new Map()
      await lost()
    }
    expect(await send(desk, UNITS, { key: KEY })).toBe('SERVICE_UNREACHABLE')
    expect(desk.find(KEY)).toMatchObject({ state: 'unknown' })
    expect(desk.leftToday).toBe(250n - MOST)
    purse.after = async () => undefined
    expect(await send(desk, UNITS, { key: KEY })).toBe('OUTCOME_UNKNOWN')
    expect(purse.paid).toEqual([])
  })
})

describe('the ledger', () => {
  it('has the id of an attempt on the disk before the purse may sign', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse)
    const written: unknown[] = []
    purse.before = async (key) => {
      const { entries } = JSON.parse(await readFile(on.path, 'utf8')) as { entries: object }
      const { attempt } = (entries as Record<string, { attempt: string }>)[key]!
      written.push(attempt === purse.store.get(key)?.mark)
    }
    expect(await send(desk, UNITS, { key: KEY })).toBe('paid')
    expect(written).toEqual([true])
  })

  it('lets no payment begin if it cannot be written', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse)
    await on.breakDisk()
    expect(await send(desk, UNITS, { key: KEY }).catch(() => 'failed')).not.toBe('paid')
    expect(await send(desk, UNITS, { key: KEY }).catch(() => 'failed')).not.toBe('paid')
    expect(purse.paid).toEqual([])
  })
})
