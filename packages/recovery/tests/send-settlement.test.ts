import { expect, it } from 'vitest'
import { mayBeSent } from '../src/send-settlement.ts'

it('a transaction whose answer was lost may land, and one that the node has refused can not', () => {
  const coded = (code: number) => Object.assign(new Error('refused'), { context: { __code: code } })
  const statusOf = (statusCode: number) =>
    Object.assign(new Error('HTTP'), { context: { statusCode } })
  expect([new TypeError('fetch failed'), statusOf(502)].map(mayBeSent)).toEqual([true, true])
  expect([coded(-32_002), coded(-32_602)].map(mayBeSent)).toEqual([false, false])
})
