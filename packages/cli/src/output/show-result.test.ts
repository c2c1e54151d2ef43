import { expect, it } from 'vitest'
import { showResult } from './show-result.ts'

const settlement = {
  signature: 'signature',
  slot: '7',
  payee: 'the payee',
  assetId: 'the asset',
  amount: '1500000000',
}

it.each([
  ['delivered', 'arrived', 'recipient'],
  ['refunded', 'returned', 'sender'],
] as const)(
  'the outcome %s shows the text "%s" and the address of the %s',
  (outcome, did, payee) => {
    const result = { outcome, trackingId: 'tr_1', settlement, status: null }
    const lines = showResult(result, 'tr_1.ticket', '1.5 SOL').split('\n')
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${did} +1\\.5 SOL$`)))
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${payee} +the payee$`)))
  },
)

it('does not call a paid transfer finished only because the service says so', () => {
  const shown = showResult({ outcome: 'paid', trackingId: 'tr_1' }, 'tr_1.ticket', undefined)
  expect(shown).toContain('--resume')
  expect(shown).not.toContain('until it is final')
})
