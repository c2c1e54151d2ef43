import { OverdueError } from '@sotto/sdk/wallet'
import { expect, it } from 'vitest'
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
