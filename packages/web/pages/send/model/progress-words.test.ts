import type { OrderStatusRecord } from '@sotto/sdk/server'
import type { TransferState } from '@sotto/sdk/wallet'
import { describe, expect, it } from 'vitest'
import { doneStages, progressSentence } from './progress-words.ts'

const state = (leafIndex: string | null) => ({ step: 'deposited', leafIndex }) as TransferState
const reported = (status: string) => ({ status, eta: 60 }) as OrderStatusRecord
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
})
