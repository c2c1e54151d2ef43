import type { Address } from '@solana/kit'
import { readFileSync } from 'node:fs'

const PAGE = readFileSync(new URL('../../../docs/test-mode.md', import.meta.url), 'utf8')

/**
 * The recipient that forces an outcome, read from docs/test-mode.md, so that the tests use the same addresses as
 * partners.
 */
function listed(outcome: string): Address {
  const row = new RegExp(`^\\| \`([1-9A-HJ-NP-Za-km-z]{32,44})\` +\\| ${outcome} `, 'm')
  const [, address] = row.exec(PAGE) ?? []
  if (address === undefined) throw new Error(`docs/test-mode.md lists no recipient for ${outcome}`)
  return address as Address
}

export const TEST_RECIPIENTS = {
  delivered: listed('delivered'),
  slow: listed('slow'),
  refunded: listed('refunded'),
  expired: listed('expired'),
  price_moved: listed('price_moved'),
  no_liquidity: listed('no_liquidity'),
}
