import { z } from 'zod'
import type { Address } from '@solana/kit'
import { heightOfSlot, slotOfHeight } from '../../chain/block-schedule.ts'
import type { TransactionRecord } from '../../chain/transaction-record.ts'
import { defineMethod } from '../method.ts'
import { addressParam, paramList } from '../params.ts'

const REPORTED_BLOCKS = 150
const MAX_ADDRESSES = 128

export const getRecentPrioritizationFees = defineMethod({
  name: 'getRecentPrioritizationFees',
  params: paramList(z.array(addressParam).max(MAX_ADDRESSES).default([])),
  handle: ([addresses], scope) => {
    const height = heightOfSlot(scope.chain.tip.slotAt('processed', scope.lag))
    const count = Math.min(REPORTED_BLOCKS, height + 1)
    return Array.from({ length: count }, (_, index) => {
      const slot = slotOfHeight(height - count + 1 + index)
      return { slot, prioritizationFee: lowestBid(scope.chain.ledger.inSlot(slot), addresses) }
    })
  },
})

/**
 * The lowest price per compute unit at which a transaction that locks the given accounts could have landed in a block.
 * It is the maximum of the block's lowest price and of each account's lowest price (agave, prioritization_fee.rs).
 */
function lowestBid(records: readonly TransactionRecord[], addresses: readonly Address[]): bigint {
  const groups = [records, ...addresses.map((each) => records.filter(locks(each)))]
  const lowest = groups.map((group) => {
    const [first, ...rest] = group.map((record) => record.unitPrice)
    return rest.reduce((low, price) => (price < low ? price : low), first ?? 0n)
  })
  return lowest.reduce((high, price) => (price > high ? price : high), 0n)
}

function locks(address: Address): (record: TransactionRecord) => boolean {
  return (record) => record.writableKeys.includes(address)
}
