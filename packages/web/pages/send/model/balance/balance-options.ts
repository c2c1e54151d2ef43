import type { BalanceService } from '@sotto/sdk/balance'
import { PROGRAM_SHA256 } from '@sotto/sdk/wallet'
import type { Address } from '@solana/kit'
import { nodeRpc } from '../node-rpc.ts'
import { ownLeaves, pageService, type PageConfig } from '../service.ts'
import type { PayStep } from './balance-phase.ts'

/**
 * Polling interval in milliseconds. It is short enough that the page feels live. It is long enough that several people
 * with the same IP address stay within the page's request limits.
 */
const POLL_MS = 1_500

/** The options that every function for balances needs. `stepped` is called at each step of a payment. */
export function balanceOptions(config: PageConfig, stepped: (step: PayStep) => void) {
  const service = pageService(() => undefined)
  const watched: BalanceService = {
    ...service,
    orderPayment: async (terms, options) => {
      const order = await service.orderPayment(terms, options)
      stepped('signing')
      return order
    },
    signPayment: async (trackingId, signed, options) => {
      const status = await service.signPayment(trackingId, signed, options)
      stepped('handed')
      return status
    },
  }
  return {
    service: watched,
    rpc: nodeRpc(config),
    programId: config.programId as Address,
    acceptedPrograms: [PROGRAM_SHA256],
    isLocalChain: config.cluster === 'localnet',
    leaves: [ownLeaves()],
    pollMs: POLL_MS,
  }
}
