import type { SottoClient } from '@sotto/sdk/server'
import type { TransferRecords } from './transfer-records.ts'

/**
 * Copies every order of the account from the service, including orders that other processes of this backend made.
 * Returns the number of orders.
 */
export async function reconcile(
  service: Pick<SottoClient, 'orders'>,
  records: TransferRecords,
): Promise<number> {
  let count = 0
  for await (const order of service.orders()) {
    records.keep(order)
    count += 1
  }
  return count
}
