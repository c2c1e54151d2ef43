import type { CreateOrderOptions, OrderTerms, QuoteRequest, SottoClient } from '@sotto/sdk/server'
import type { TransferRecords } from './transfer-records.ts'

type Service = Pick<SottoClient, 'quote' | 'createOrder' | 'refresh' | 'hintDeposit' | 'status'>

/** The calls that the page may make, by their paths. The API key stays in this process. */
export type PassedOnCalls = Readonly<Record<string, (body: never) => Promise<unknown>>>

/**
 * The five calls that a page's `transfer` makes. A real backend first authenticates the user, ties each order
 * to its user, and adds its own fee and reference.
 */
export function passedOnCalls(service: Service, records: TransferRecords): PassedOnCalls {
  return {
    '/sotto/quote': (request: QuoteRequest) => service.quote(request),
    '/sotto/order': async (terms: OrderTerms) => {
      const options: CreateOrderOptions = { signal: AbortSignal.timeout(30_000) }
      const order = await service.createOrder(terms, options)
      const { trackingId } = order
      const { reference } = terms
      records.keep({ trackingId, reference, status: 'awaiting_deposit', final: false })
      return order
    },
    '/sotto/refresh': ({ trackingId }: { trackingId: string }) => service.refresh(trackingId),
    '/sotto/deposit': ({ trackingId, signature }: { trackingId: string; signature?: string }) =>
      service.hintDeposit(trackingId, signature),
    '/sotto/status': ({ trackingId }: { trackingId: string }) => service.status(trackingId),
  }
}
