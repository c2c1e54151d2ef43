import { SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED, SolanaError } from '@solana/kit'
import { expect, it } from 'vitest'
import { mayBeSent } from '../index.ts'

it("a transaction may have been sent if the node's answer was lost, but not if the node refused it", () => {
  const coded = (code: number) => Object.assign(new Error('refused'), { context: { __code: code } })
  const statusOf = (statusCode: number) =>
    Object.assign(new Error('HTTP'), { context: { statusCode } })
  expect([new TypeError('fetch failed'), statusOf(502)].map(mayBeSent)).toEqual([true, true])
  expect([coded(-32_002), coded(-32_602)].map(mayBeSent)).toEqual([false, false])
})

it('a transaction may have been sent if a gateway failed or the node has already processed it', () => {
  const internal = Object.assign(new Error('internal'), { context: { __code: -32_603 } })
  const cause = new SolanaError(SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)
  const context = { __code: -32_002 }
  const processed = Object.assign(new Error('simulation failed', { cause }), { context })
  expect([internal, processed].map(mayBeSent)).toEqual([true, true])
})
