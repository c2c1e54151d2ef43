import { expect, it } from 'vitest'
import { showSuggestions } from './show-suggestions.ts'

const paid = (units: string) => `${units} SOL`
const arriving = (units: string) => `${units} USDC`
const suggestions = [
  { amount: '10', amountOut: '15', anonymitySet: 2, linkProbability: '0.5' },
  { amount: '14', amountOut: '20', anonymitySet: 7, linkProbability: '0.25' },
]

it('shows each amount with its number of other senders', () => {
  expect(showSuggestions(suggestions, { arriving, paid: undefined })).toEqual([
    expect.stringContaining('Only payments of the same amount hide yours'),
    '15 USDC: sent by at least 1 other',
    '20 USDC: sent by at least 6 others',
  ])
  const [, first] = showSuggestions(suggestions, { arriving, paid })
  expect(first).toEqual('15 USDC, if 10 SOL is paid: sent by at least 1 other')
})

it('shows no rows if no amount hides the payment better', () => {
  expect(showSuggestions([], { arriving, paid })).toEqual([])
})
