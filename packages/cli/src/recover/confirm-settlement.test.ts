import type { Signature } from '@solana/kit'
import { expect, it } from 'vitest'
import type { CliRpc } from '../amounts/mint-decimals.ts'
import type { CliContext } from '../context.ts'
import { confirmSettlement } from './confirm-settlement.ts'

const context = (signal: AbortSignal) => ({ signal }) as CliContext

/** A node that gives these answers, one after another. */
function nodeThat(answers: (() => unknown)[]) {
  const getSignatureStatuses = () => ({ send: async () => ({ value: [answers.shift()?.()] }) })
  return { getSignatureStatuses } as unknown as CliRpc
}
const fail = (message: string) => () => {
  throw new Error(message)
}

it('while the node does not answer, the wait for a payment goes on, because the payment may land', async () => {
  const answers = [
    fail('HTTP error (502)'),
    () => null,
    () => ({ err: null, confirmationStatus: 'confirmed' }),
  ]
  await confirmSettlement(
    context(new AbortController().signal),
    nodeThat(answers),
    's' as Signature,
  )
  expect(answers).toEqual([])
})

it('a settlement that failed on the chain ends the wait', async () => {
  const answers = [() => ({ err: 'no', confirmationStatus: 'confirmed' })]
  const waiting = confirmSettlement(
    context(new AbortController().signal),
    nodeThat(answers),
    's' as Signature,
  )
  await expect(waiting).rejects.toMatchObject({ code: 'SETTLEMENT_FAILED' })
})

it('Ctrl-C ends the wait', async () => {
  const stopping = new AbortController()
  const answers = [() => stopping.abort()]
  await expect(
    confirmSettlement(context(stopping.signal), nodeThat(answers), 's' as Signature),
  ).rejects.toThrow('abort')
})
