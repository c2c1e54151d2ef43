import { ERROR_CAUSES, errorDocs, ERRORS, type ErrorCode } from '@sotto/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { send } from './partner-client.ts'
import { REACH } from './reach-code.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const CODES = Object.keys(ERRORS) as ErrorCode[]

// Every code of the registry has a test. If no request reaches a code, its test fails.
it.each(CODES)('a request can get %s, as the registry describes it', async (code) => {
  const { status, headers, body } = await REACH[code](stack)
  const { retry, message, status: promised } = ERRORS[code]
  expect([status, body['code']]).toEqual([promised, code])
  expect(body).toMatchObject({ success: false, retry, message, docs: errorDocs(code) })
  expect(headers.get('x-request-id')).toBe(body['requestId'])
  expect(headers.has('retry-after')).toBe(retry === 'unchanged' || code === 'NOTE_IN_USE')
})

it.each(CODES)('the page that %s links to gives the cause and the next step', async (code) => {
  const page = await fetch(stack.baseUrl + errorDocs(code))
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const html = await page.text()
  const text = html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const { status, retry, message, nextStep } = ERRORS[code]
  for (const part of [code, `${status}`, retry, message, nextStep, ERROR_CAUSES[code]]) {
    expect(text).toContain(part)
  }
})

it('an internal error reveals no internals', async () => {
  const answer = await REACH.INTERNAL(stack)
  expect(answer.text).not.toMatch(/orders_gone|relation|SELECT|\.ts\b|node_modules|\bat /)
  expect(Object.keys(answer.body).sort()).toEqual(
    ['code', 'docs', 'message', 'requestId', 'retry', 'success'].sort(),
  )
  expect((await send(stack, 'GET', '/transfer/v1/orders')).status).toBe(200)
})
