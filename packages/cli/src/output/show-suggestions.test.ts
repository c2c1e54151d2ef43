import { expect, it } from 'vitest'
import { showSuggestions } from './show-suggestions.ts'

const paid = (units: string) => `${units} SOL`
const arriving = (units: string) => `${units} USDC`
const suggestions = [
  { amount: '10', amountOut: '15', anonymitySet: 1, linkProbability: '1' },
  { amount: '14', amountOut: '20', anonymitySet: 7, linkProbability: '0.25' },
  { amount: '17', amountOut: '25', anonymitySet: 1, linkProbability: '0.6' },
]

it('shows each amount with its anonymity set, and the amount that is paid if the request fixes it', () => {
  expect(showSuggestions({ suggestions }, { arriving, paid: undefined })).toEqual([
    expect.stringContaining('Only payments of the same amount hide yours'),
    '15 USDC: no one else yet',
    '20 USDC: at least 6 others',
    '25 USDC: too few others to rely on',
  ])
  const [, first] = showSuggestions({ suggestions }, { arriving, paid })
  expect(first).toEqual('15 USDC, if 10 SOL is paid: no one else yet')
})

it('shows no rows for a service that suggests no amounts', () => {
  expect(showSuggestions({}, { arriving, paid })).toEqual([])
})
