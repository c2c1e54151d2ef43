import type { BalanceService } from '@sotto/sdk/balance'
import type { CliContext } from '../context.ts'

/** The service, with the methods that the SDK's balances call. The API key is read only when a method is called. */
export function serviceOf({ client }: Pick<CliContext, 'client'>): BalanceService {
  return {
    quote: async (...args) => (await client()).quote(...args),
    createOrder: async (...args) => (await client()).createOrder(...args),
    refresh: async (...args) => (await client()).refresh(...args),
    hintDeposit: async (...args) => (await client()).hintDeposit(...args),
    status: async (...args) => (await client()).status(...args),
    orderPayment: async (...args) => (await client()).orderPayment(...args),
    signPayment: async (...args) => (await client()).signPayment(...args),
  }
}
