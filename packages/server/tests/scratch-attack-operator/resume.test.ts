import { expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
it('the greatest pause between two comparisons is shorter than the age that `pool resume` accepts', () => {
  const config = readConfig({
    SOTTO_CLUSTER: 'devnet',
    SOTTO_RPC_URL: 'http://127.0.0.1:8899',
    SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
    SOTTO_UPKEEP_SECONDS: '86400',
  } as never)
  expect(config.UPKEEP_SECONDS).toBeLessThanOrEqual(900 / 2)
})
