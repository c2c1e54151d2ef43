import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import {
  balanceError,
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

  it('keeps counting against the limit, and is not paid again, if a node shows that it cannot land', async () => {
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

describe('a signed payment that was dropped because the chain shows an equal payment', () => {
  it('keeps counting after a restart, and is not paid again after a person has cleared the equal one', async () => {
    const purse = new TestPurse()
    await crashAt(purse, 'signed')
    // The next start drops the signature, and saves the equal payment as unrecorded.
    purse.store.set(KEY, { mark: purse.store.get(KEY)!.mark! })
    purse.mayBePaid = async () => true
    const desk = await restarted(purse)
    expect(desk.find(KEY)).toMatchObject({ state: 'uncertain' })
    expect(desk.leftToday).toBe(250n - MOST)
    // `sotto balance send --again` pays, and forgets the unrecorded payment.
    purse.mayBePaid = async () => false
    const again = await restarted(purse)
    expect(again.leftToday).toBe(250n - MOST)
    expect(await send(again, UNITS, { key: KEY })).toBe('OUTCOME_UNKNOWN')
    expect(purse.paid).toEqual([])
  })

  it('becomes uncertain if the next payment finds the equal one, and the next payment can be repeated', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse)
    purse.after = lost
    expect(await send(desk, UNITS, { key: KEY })).toBe('SERVICE_UNREACHABLE')
    purse.after = async () => undefined
    purse.before = async () => {
      purse.store.set(KEY, { mark: purse.store.get(KEY)!.mark! })
      purse.mayBePaid = async (order) => order.amount === UNITS
      throw balanceError('PAYMENT_UNCERTAIN')
    }
    expect(await send(desk, 10n, { key: 'next' })).toBe('SPENT_ELSEWHERE')
    expect(desk.find('next')).toMatchObject({ state: 'not_paid' })
    expect(desk.find(KEY)).toMatchObject({ state: 'uncertain' })
    expect(desk.leftToday).toBe(250n - MOST)
    purse.before = async () => undefined
    expect(await send(desk, 10n, { key: 'next' })).toBe('paid')
    expect(await send(desk, UNITS, { key: KEY })).toBe('OUTCOME_UNKNOWN')
    expect(purse.paid).toMatchObject([{ key: 'next' }])
  })
})

describe('a payment whose signature was dropped while the server runs', () => {
  it.each(['PAYMENT_EXPIRED', 'QUOTE_DECLINED'])(
    'has an unknown outcome after %s, and the agent is not advised to call again',
    async (code) => {
      const purse = new TestPurse()
      const desk = await on.deskOf(purse)
      purse.after = async () => {
        purse.store.set(KEY, { mark: purse.store.get(KEY)!.mark!, hasLapsed: true })
        throw balanceError(code)
      }
      const first = await send(desk, UNITS, { key: KEY })
      expect(desk.find(KEY)).toMatchObject({ state: 'unknown' })
      expect(await send(desk, UNITS, { key: KEY })).toBe('OUTCOME_UNKNOWN')
      expect(first).toBe('OUTCOME_UNKNOWN')
      expect(purse.paid).toEqual([])
    },
  )

  it('may be sent again after PAYMENT_EXPIRED if it was never signed', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse)
    purse.before = () => Promise.reject(balanceError('PAYMENT_EXPIRED'))
    expect(await send(desk, UNITS, { key: KEY })).toBe('PAYMENT_EXPIRED')
    purse.before = async () => undefined
    expect(await send(desk, UNITS, { key: KEY })).toBe('paid')
  })
})

describe('a payment whose store was replaced', () => {
  it.each(['marking', 'marked'] as const)(
    'no longer counts after a crash at the point %s, at which nothing can have been signed',
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
    // The cause is a failed connection. But each later call is refused, so the agent must not be advised to call again.
    expect(await send(desk, UNITS, { key: KEY })).toBe('OUTCOME_UNKNOWN')
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
