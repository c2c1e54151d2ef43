import { expect, it } from 'vitest'
import { explorerLink } from './explorer.ts'

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const SIGNATURE = '5'.repeat(88)

it('links a payment to the explorer of its own chain', () => {
  expect(explorerLink(MAINNET, SIGNATURE)).toBe(`https://explorer.solana.com/tx/${SIGNATURE}`)
  expect(explorerLink(DEVNET, SIGNATURE)).toBe(
    `https://explorer.solana.com/tx/${SIGNATURE}?cluster=devnet`,
  )
  expect(explorerLink('11111111111111111111111111111111', SIGNATURE)).toBeUndefined()
  expect(explorerLink('constructor', SIGNATURE)).toBeUndefined()
})

it('links only to transaction pages of the explorer', () => {
  for (const text of ['', '../x', `${SIGNATURE}?cluster=custom`, 'javascript:alert(1)']) {
    expect(explorerLink(MAINNET, text)).toBeUndefined()
  }
})
