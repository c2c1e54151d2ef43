import { OverdueError } from '@sotto/sdk/wallet'
import { expect, it } from 'vitest'
import { ServiceRefusal } from './service.ts'
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
