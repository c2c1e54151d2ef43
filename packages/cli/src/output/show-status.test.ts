import type { OrderStatusRecord } from '@sotto/sdk/server'
import { expect, it } from 'vitest'
import { showStatus } from './show-status.ts'

const ORDER = {
  ...{ trackingId: 'tr_1', status: 'delivered', final: true, eta: 0 },
  ...{ amountIn: '1', amountOut: '1', sourceAssetId: 'A', destinationAssetId: 'A' },
  ...{ nextAction: 'none', deposit: null, delivery: null, refund: null },
  privacy: { anonymitySet: 1 },
} as unknown as OrderStatusRecord

it('says that only the service claims a final status', () => {
  expect(showStatus(ORDER, [])).toContain('only the service says so')
  expect(showStatus({ ...ORDER, final: false }, [])).not.toContain('only the service says so')
})
