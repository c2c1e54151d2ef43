import type { OrderStatusRecord } from '@sotto/sdk/server'
import type { TransferState } from '@sotto/sdk/wallet'
import { describe, expect, it } from 'vitest'
import { closingSentence, doneStages, progressSentence } from './progress-words.ts'

const state = (leafIndex: string | null) => ({ step: 'deposited', leafIndex }) as TransferState
const reported = (status: string) => ({ status, eta: 60 }) as OrderStatusRecord
const UNTIL = '2027-02-14T09:00:00.000Z'
const HAS_PAYMENT = /The chain has your payment/

describe('the progress of a transfer', () => {
  it('says that the chain has the payment only if the chain has shown it', () => {
    expect(progressSentence(state('3'), undefined, 'Wallet')).toMatch(HAS_PAYMENT)
    for (const status of [undefined, reported('awaiting_deposit')]) {
      expect(progressSentence(state(null), status, 'Wallet')).not.toMatch(HAS_PAYMENT)
      expect(doneStages(state(null), status)).toBe(0)
    }
  })

  it.each(['3', null])('does not call an expired order paid (leaf index: %s)', (leafIndex) => {
    const said = progressSentence(state(leafIndex), reported('expired'), 'Wallet')
    expect(said).toContain('ended without a payment')
    expect(said).not.toMatch(HAS_PAYMENT)
  })

  it('says that the transfer goes on without the page only once the chain has the payment', () => {
    const closing = (step: string, leafIndex: string | null = null) =>
      closingSentence({ step, leafIndex, order: { deliverBy: UNTIL } } as never, undefined)
    expect(closing('deposited', '3')).toContain('You can close this page')
    expect(closing('deposited', '3')).toContain('2027')
    for (const step of ['signing', 'submitting', 'refreshing', 'unwinding', 'deposited']) {
      expect(closing(step)).toContain('Keep this page open')
      expect(closing(step)).not.toMatch(/can close|goes on/)
    }
  })
})
