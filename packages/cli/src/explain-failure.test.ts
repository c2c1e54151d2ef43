import { SottoApiError } from '@sotto/sdk/server'
import { OverdueError } from '@sotto/sdk/wallet'
import { expect, it } from 'vitest'
import { explainFailure } from './explain-failure.ts'

it('explains a refusal of the service without repeating its code or its page', () => {
  const docs = 'https://sotto.example/docs/errors/AMOUNT_OUT_OF_RANGE'
  const body = {
    success: false as const,
    code: 'AMOUNT_OUT_OF_RANGE' as const,
    message: 'The amount is below the least that can be sent.',
    requestId: 'req_1',
    retry: 'never' as const,
    docs,
  }
  const error = new SottoApiError(422, body, docs)
  const { code, message, next } = explainFailure(error, false)
  const shown = `${message} ${code} ${next}`
  expect(shown.replaceAll(docs, '').split('AMOUNT_OUT_OF_RANGE')).toHaveLength(2)
  expect(shown.split(docs)).toHaveLength(2)
})

it.each([
  [true, 'sotto recover refund tr_1; after that, continue a transfer with --resume'],
  [false, 'keep the ticket and inform the operator'],
])('names the next step for overdue money (a refund is possible: %s)', (canRefund, next) => {
  const error = new OverdueError('tr_1', 'yesterday', 'tomorrow', canRefund)
  expect(explainFailure(error, false)).toMatchObject({
    ...{ code: 'MONEY_OVERDUE', exitCode: 6 },
    message: expect.stringContaining('until tomorrow'),
    next: expect.stringContaining(next),
  })
})
