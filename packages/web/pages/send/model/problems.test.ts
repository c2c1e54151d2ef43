import { OverdueError } from '@sotto/sdk/wallet'
import { expect, it } from 'vitest'
import { explainBalance } from './balance/balance-problems.ts'
import { WalletError } from './asked-wallet.ts'
import { ServiceRefusal, UnreachableError } from './service.ts'
import { explain } from './problems.ts'

const UNTIL = '2027-02-14T09:00:00.000Z'

it('says how to get overdue money back if a refund is possible', () => {
  const problem = explain(new OverdueError('tr_1', 'yesterday', UNTIL, true), 'deposited')
  expect(problem.text).toMatch(/neither delivered nor refunded.*get it back.*2027/)
  expect(problem.nextStep).toContain('sotto recover refund sotto-ticket-tr_1.txt')
  expect(problem.canRetry).toBe(true)
})

it('promises no refund of overdue money after the last time for a refund', () => {
  const problem = explain(new OverdueError('tr_1', 'yesterday', UNTIL, false), 'deposited')
  expect(`${problem.text} ${problem.nextStep}`).not.toMatch(/get it back|sotto recover/)
})

const shownOf = ({ title, text, nextStep }: ReturnType<typeof explain>) =>
  `${title} ${text} ${nextStep}`

it.each(['SCREENING_REFUSED', 'ORDER_EXPIRED', 'UNAUTHORIZED'] as const)(
  'says that nothing was paid after %s only if nothing can have been signed',
  (code) => {
    const refusal = new ServiceRefusal(403, { code, message: 'no', requestId: 'r', retry: 'never' })
    expect(shownOf(explain(refusal, 'quoted'))).toContain('Nothing was paid')
    for (const step of ['signing', 'submitting', 'refreshing', 'unwinding', 'deposited'] as const) {
      expect(shownOf(explain(refusal, step))).not.toMatch(/nothing was paid|start over/i)
      expect(explain(refusal, step).canRetry).toBe(true)
    }
  },
)

const full = new DOMException('exceeded the quota', 'QuotaExceededError')
const failures = [new TypeError('Failed to fetch'), new UnreachableError('no answer'), full]

it.each(failures)(
  'promises to keep a transfer only from the step in which it is saved (%s)',
  (failure) => {
    for (const step of ['asked', 'quoted', 'ordered'] as const) {
      expect(shownOf(explain(failure, step))).toContain('Nothing was signed and nothing was paid')
      expect(shownOf(explain(failure, step))).not.toContain('browser keeps')
    }
    for (const step of ['signing', 'submitting', 'refreshing', 'unwinding'] as const) {
      expect(shownOf(explain(failure, step))).not.toMatch(/nothing was (signed|paid)/i)
    }
  },
)

it('names a storage that is full or blocked, and does not call anything in it safe', () => {
  for (const name of ['QuotaExceededError', 'SecurityError', 'UnknownError', 'InvalidStateError']) {
    const error = new DOMException('refused', name)
    for (const problem of [explain(error), explain(error, 'signing'), explainBalance(error)]) {
      expect(problem.title).toContain('store data')
      expect(problem.nextStep).toContain('recovery ticket and balance file')
      expect(shownOf(problem)).not.toMatch(/browser keeps|safe|nothing was paid/i)
    }
  }
})

it('does not promise that a transaction pays nothing because the wallet reports a refusal', () => {
  const problem = explain(new WalletError({ code: 4_001 }, false), 'signing')
  expect(problem.title).toBe('Not signed')
  expect(problem.text).toContain('If you did, this transaction pays nothing')
  expect(problem.text).toContain('the chain decides')
})
