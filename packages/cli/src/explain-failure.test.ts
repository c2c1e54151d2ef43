import { RecoveryError } from '@sotto/recovery'
import { SottoApiError } from '@sotto/sdk/server'
import { OrderRefusedError, OverdueError } from '@sotto/sdk/wallet'
import { expect, it } from 'vitest'
import { explainFailure } from './explain-failure.ts'
import { UnfinishedError } from './transfers/unfinished-error.ts'

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
  expect(next).toContain('sotto tokens')
})

it('names the faults of a refused request, and the allowed amounts', () => {
  const docs = 'https://sotto.example'
  const common = { success: false, message: 'Wrong.', requestId: 'r', retry: 'never', docs }
  const shown = (status: number, body: object) =>
    explainFailure(new SottoApiError(status, { ...common, ...body } as never, docs), false).message
  const issues = [
    { param: 'crowdMissed', message: 'must be "deliver" for a swap' },
    { param: '', message: 'the body is nested too deeply' },
  ]
  const refused = shown(400, { code: 'INVALID_REQUEST', issues })
  expect(refused).toContain('; crowdMissed: must be "deliver" for a swap; the body is nested')
  const bounds = { code: 'AMOUNT_OUT_OF_RANGE', min: '992866', max: '100000000000' }
  expect(shown(422, bounds)).toContain('; allowed: 992866 to 100000000000 base units')
  // A service may send anything in place of these members.
  for (const odd of [{ issues: 'x' }, { issues: [null, 1, { param: 1 }] }, { min: 1, max: 'x' }]) {
    expect(shown(400, { code: 'INVALID_REQUEST', ...odd })).toMatch(/^Wrong\. \(r; [^;]*\)$/)
  }
})

it('never says that nothing was signed if an earlier transaction of the order may land', () => {
  const refusals = [{ code: 'refreshed' as const, message: 'it is a different order' }]
  const fresh = explainFailure(new OrderRefusedError(refusals), false)
  expect(fresh.next).toMatch(/^nothing was signed/)
  const late = new OrderRefusedError(refusals, { mayBeSigned: true })
  for (const error of [late, new UnfinishedError('7', late)]) {
    const { next, exitCode } = explainFailure(error, false)
    expect(next).toMatch(/may still land.*do not pay in another way/)
    expect(next).not.toMatch(/nothing was signed|another service/)
    expect(exitCode).toBe(6)
  }
})

it('suggests no other way to pay while a transfer can be resumed', () => {
  const refused = new OrderRefusedError([{ code: 'quote', message: 'it costs more' }])
  const { next, exitCode } = explainFailure(new UnfinishedError('7', refused), false)
  expect(next).toContain('sotto send --resume 7')
  expect(next).toContain('do not pay in another way')
  expect(next).not.toMatch(/nothing was signed|another service/)
  expect(exitCode).toBe(6)
})

it('does not take a refusal of an unfinished transfer as a proof that nothing was paid', () => {
  const body = { success: false, code: 'ORDER_EXPIRED', message: 'It is over.', requestId: 'r' }
  const docs = 'https://sotto.example'
  const refusal = new SottoApiError(409, { ...body, retry: 'never', docs } as never, docs)
  const { next, exitCode } = explainFailure(new UnfinishedError('7', refusal), false)
  expect(next).toContain('sotto send --resume 7')
  expect(next).not.toContain('correct the request')
  expect(exitCode).toBe(11)
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

it('names the setting of a local chain if the clock of a node differs', () => {
  const { next } = explainFailure(new RecoveryError('CLOCK_DIFFERS', 'an hour'), false)
  expect(next).toContain('SOTTO_LOCAL_CHAIN=1')
})
