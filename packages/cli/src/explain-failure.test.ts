import { SottoApiError } from '@sotto/sdk/server'
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
