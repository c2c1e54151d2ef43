import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import {
  answering,
  LedgerFolder,
  LIMITS,
  NO_PERSON,
  questionOf,
  send,
  TestPurse,
} from '../../../tests/mcp/test-desk.ts'
import type { Question } from '../ledger/entry.ts'
import { DAY_MS } from '../ledger/ledger.ts'
import type { Confirmation } from './confirmation.ts'
import { PaymentDesk } from './payment-desk.ts'

let on: LedgerFolder
beforeEach(async () => {
  on = await LedgerFolder.make()
})
afterEach(() => on.remove())

describe('a payment above the threshold', () => {
  const asking = { confirmAbove: amount(50n) }

  it('is paid only after a person has answered its question', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    expect(await send(desk, 46n)).toBe('paid')
    const { id, by } = await questionOf(desk, 47n, 'large')
    expect(by).toBe('client')
    expect(purse.paid).toHaveLength(1)
    const confirmation = answering({ [id]: 'yes' })
    expect(await send(desk, 47n, { key: 'large', confirmation })).toBe('paid')
    expect(purse.paid).toHaveLength(2)
  })

  it('is not paid by an answer to another question, or before a question was asked', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    const early: Confirmation = { ...NO_PERSON, canAsk: true, answer: async () => 'yes' }
    expect(await send(desk, 60n, { key: 'large', confirmation: early })).toBe('question by client')
    const { id } = await questionOf(desk, 61n, 'other')
    const confirmation = answering({ [id]: 'yes' })
    expect(await send(desk, 60n, { key: 'large', confirmation })).toBe('question by client')
    expect(purse.paid).toEqual([])
  })

  it('is not paid by the same answer under another key', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    const { id } = await questionOf(desk, 60n, 'large')
    const confirmation = answering({ [id]: 'yes' })
    expect(await send(desk, 60n, { key: 'large', confirmation })).toBe('paid')
    expect(await send(desk, 60n, { key: 'larger', confirmation })).toBe('question by client')
    expect(purse.paid).toHaveLength(1)
  })

  it('asks in a terminal if the host cannot or must not ask', async () => {
    const desk = await on.deskOf(new TestPurse(), asking)
    const published: Question[] = []
    const publish = async (question: Question) => void published.push(question)
    expect(await send(desk, 60n, { confirmation: { ...NO_PERSON, publish } })).toBe(
      'question by terminal',
    )
    expect(published).toMatchObject([{ by: 'terminal', most: '65' }])
    const strict = new PaymentDesk(
      await on.restart(),
      { ...LIMITS, ...asking, confirm: 'terminal' },
      new TestPurse(),
    )
    expect(await send(strict, 60n, { confirmation: answering({}) })).toBe('question by terminal')
  })

  it('is refused above the daily limit even if a person confirmed it', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    const keys = ['a', 'b', 'c']
    const asked = await Promise.all(keys.map((key) => questionOf(desk, 96n, key)))
    const confirmation = answering(Object.fromEntries(asked.map(({ id }) => [id, 'yes'] as const)))
    const ends = await Promise.all(keys.map((key) => send(desk, 96n, { key, confirmation })))
    expect(ends.toSorted()).toEqual(['DAY_LIMIT', 'paid', 'paid'])
    expect(purse.paid).toHaveLength(2)
  })

  it('is never paid under its key after it was declined', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    const { id } = await questionOf(desk, 60n, 'large')
    const no = answering({ [id]: 'no' })
    expect(await send(desk, 60n, { key: 'large', confirmation: no })).toBe('DECLINED')
    const yes = answering({ [id]: 'yes' })
    expect(await send(desk, 60n, { key: 'large', confirmation: yes })).toBe('DECLINED')
    expect(purse.paid).toEqual([])
  })

  it('needs another answer after 15 minutes, or if its cost has risen', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    const first = await questionOf(desk, 60n, 'large')
    const yes = answering({ [first.id]: 'yes' })
    on.clockMs += 15 * 60_000
    const second = await questionOf(desk, 60n, 'large', yes)
    expect(second.id).not.toBe(first.id)
    purse.fee = amount(8n)
    const third = await questionOf(desk, 60n, 'large', answering({ [second.id]: 'yes' }))
    expect(third).toMatchObject({ most: '70' })
    expect(purse.paid).toEqual([])
  })

  it('is refused without a question if the limits refuse it', async () => {
    const desk = await on.deskOf(new TestPurse(), asking)
    expect(await send(desk, 97n)).toBe('PAYMENT_LIMIT')
    expect(desk.entries).toEqual([])
  })

  it('asks at most three questions at once, and none after three refusals', async () => {
    const desk = await on.deskOf(new TestPurse(), asking)
    const confirmation = answering({})
    const asked = ['a', 'b', 'c'].map((key) => questionOf(desk, 60n, key))
    const ids = (await Promise.all(asked)).map(({ id }) => id)
    expect(await send(desk, 60n, { key: 'd', confirmation })).toBe('QUESTIONS_OPEN')
    const no = answering(Object.fromEntries(ids.map((id) => [id, 'no'] as const)))
    for (const key of ['a', 'b', 'c']) {
      expect(await send(desk, 60n, { key, confirmation: no })).toBe('DECLINED')
    }
    expect(await send(desk, 60n, { key: 'd', confirmation })).toBe('QUESTIONS_DECLINED')
    on.clockMs += DAY_MS
    expect(await send(desk, 60n, { key: 'd', confirmation })).toBe('question by client')
  })

  it.each([
    ['after its question has ended', 0n, 15 * 60_000],
    ['after its cost has risen', 4n, 0],
    ['after its cost has fallen below the threshold', -4n, 0],
  ])('is never paid after a refusal that the agent collects %s', async (_when, rise, ms) => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    const { id } = await questionOf(desk, 48n, 'large', NO_PERSON)
    on.clockMs += ms
    purse.fee = amount(4n + rise)
    const no = answering({ [id]: 'no' }, false)
    expect(await send(desk, 48n, { key: 'large', confirmation: no })).toBe('DECLINED')
    expect(await send(desk, 48n, { key: 'large' })).toBe('DECLINED')
    expect(purse.paid).toEqual([])
  })

  it('is never paid after a refusal that comes while its cost is being read', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    const { id } = await questionOf(desk, 48n, 'large', NO_PERSON)
    const answers: Record<string, 'no'> = {}
    const quote = purse.quote.bind(purse)
    purse.quote = (...asked) => {
      answers[id] = 'no'
      return quote(...asked)
    }
    // The cost is now below the threshold, so without the refusal the payment would be made.
    purse.fee = amount(0n)
    const confirmation = answering(answers, false)
    expect(await send(desk, 48n, { key: 'large', confirmation })).toBe('DECLINED')
    expect(purse.paid).toEqual([])
  })

  it('asks nothing after three refusals, even if the agent repeats no refused payment', async () => {
    const desk = await on.deskOf(new TestPurse(), asking)
    const asked = ['a', 'b', 'c'].map((key) => questionOf(desk, 60n, key, NO_PERSON))
    const ids = (await Promise.all(asked)).map(({ id }) => id)
    const no = answering(Object.fromEntries(ids.map((id) => [id, 'no'] as const)), false)
    expect(await send(desk, 60n, { key: 'd', confirmation: no })).toBe('QUESTIONS_DECLINED')
    expect(desk.entries.map(([key, { state }]) => `${key} ${state}`)).toEqual([
      'a declined',
      'b declined',
      'c declined',
    ])
  })

  it('is not paid by a host’s answer once the limits require a terminal', async () => {
    const purse = new TestPurse()
    const { id, by } = await questionOf(await on.deskOf(purse, asking), 60n, 'large')
    expect(by).toBe('client')
    const limits = { ...LIMITS, ...asking, confirm: 'terminal' } as const
    const strict = new PaymentDesk(await on.restart(), limits, purse)
    const confirmation = answering({ [id]: 'yes' })
    expect(await send(strict, 60n, { key: 'large', confirmation })).toBe('question by terminal')
    expect(purse.paid).toEqual([])
  })

  it('can be asked again while three questions are open, because its own question is replaced', async () => {
    const purse = new TestPurse()
    const desk = await on.deskOf(purse, asking)
    const asked = ['a', 'b', 'c'].map((key) => questionOf(desk, 60n, key))
    const [first] = await Promise.all(asked)
    purse.fee = amount(8n)
    const again = await questionOf(desk, 60n, 'a', answering({ [first!.id]: 'yes' }))
    expect(again).toMatchObject({ by: 'client', most: '70' })
    expect(await send(desk, 60n, { key: 'd' })).toBe('QUESTIONS_OPEN')
    // No answer to these questions counts any more, so the agent must be able to ask in the terminal.
    const limits = { ...LIMITS, ...asking, confirm: 'terminal' } as const
    const strict = new PaymentDesk(await on.restart(), limits, purse)
    for (const key of ['a', 'b', 'c']) {
      expect(await send(strict, 60n, { key })).toBe('question by terminal')
    }
    expect(purse.paid).toEqual([])
  })

  it('never takes more than a limit that was lowered after the question', async () => {
    const purse = new TestPurse()
    purse.fee = amount(8n)
    const { id, most } = await questionOf(await on.deskOf(purse, asking), 84n, 'large')
    expect(most).toBe('94')
    const limits = { ...LIMITS, ...asking, maxPayment: amount(93n) }
    const lowered = new PaymentDesk(await on.restart(), limits, purse)
    const confirmation = answering({ [id]: 'yes' })
    expect(await send(lowered, 84n, { key: 'large', confirmation })).toBe('paid')
    expect(purse.paid).toMatchObject([{ most: 93n }])
  })
})
