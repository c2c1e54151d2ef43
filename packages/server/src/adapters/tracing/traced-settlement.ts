import type { Prover } from '../../ports/prover.ts'
import type { SettlementChain } from '../../ports/settlement-chain.ts'
import type { Tracing } from '../../ports/tracing.ts'

/** Wraps a prover, and records each proof as a step of its settlement. */
export const tracedProver = ({ prove }: Prover, { within }: Tracing): Prover => ({
  prove: (witness) => within('prove', 'settlement', () => prove(witness)),
})

/** Wraps a chain, and records each signature as a step. The RPC client traces the chain's requests to nodes. */
export const tracedChain = (chain: SettlementChain, { within }: Tracing): SettlementChain => ({
  ...chain,
  sign: (request) => within('sign', 'settlement', () => chain.sign(request)),
})
