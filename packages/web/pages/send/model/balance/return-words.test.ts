import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { endedSentence, isFromFile, returnSentence } from './return-words.ts'

const note = {
  orderId: '07'.repeat(16),
  endsAt: unixSeconds(BigInt(Date.parse('2027-02-14T09:00:00Z') / 1_000)),
}

it('promises the return of a rest without a condition only if this page opened the balance', () => {
  expect(isFromFile('4d'.repeat(16), note)).toBe(false)
  expect(isFromFile(note.orderId, note)).toBe(true)
  expect(returnSentence(false, 'your wallet')).not.toContain('--no-return')
  expect(returnSentence(true, 'your wallet')).toMatch(/--no-return.*take the rest back before/)
  expect(endedSentence(true, 'your wallet', note)).toContain(
    'Unless it was opened with --no-return',
  )
})

it.each([true, false])(
  'says until when the rest of an ended balance can be brought back (%s)',
  (isOfFile) => {
    const said = endedSentence(isOfFile, 'your wallet', note)
    expect(said).toMatch(/possible until .*2027/)
    expect(said).toContain('sotto recover refund sotto-balance-07070707.txt')
    expect(said).toContain('After that, the money is lost.')
  },
)
