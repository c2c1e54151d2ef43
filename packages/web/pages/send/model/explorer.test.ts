import { expect, it } from 'vitest'
import { explorerLink } from './explorer.ts'

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const SIGNATURE = '5'.repeat(88)

it('a payment links to the explorer of its own chain, and has no link on a local chain', () => {
  expect(explorerLink(MAINNET, SIGNATURE)).toBe(`https://explorer.solana.com/tx/${SIGNATURE}`)
  expect(explorerLink(DEVNET, SIGNATURE)).toBe(
    `https://explorer.solana.com/tx/${SIGNATURE}?cluster=devnet`,
  )
  expect(explorerLink('11111111111111111111111111111111', SIGNATURE)).toBeUndefined()
  expect(explorerLink('constructor', SIGNATURE)).toBeUndefined()
})

it('a link always leads to a transaction page of the explorer', () => {
  for (const text of ['', '../x', `${SIGNATURE}?cluster=custom`, 'javascript:alert(1)']) {
    expect(explorerLink(MAINNET, text)).toBeUndefined()
  }
})
