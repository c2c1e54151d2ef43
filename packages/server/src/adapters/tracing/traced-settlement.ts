import type { Prover } from '../../ports/prover.ts'
import type { SettlementChain } from '../../ports/settlement-chain.ts'
import type { Tracing } from '../../ports/tracing.ts'

/** A prover whose proofs are recorded as steps of their settlements. */
export const tracedProver = ({ prove }: Prover, { within }: Tracing): Prover => ({
  prove: (witness) => within('prove', 'settlement', () => prove(witness)),
})

/** A chain whose signatures are recorded as steps. Its requests to nodes are traced in the RPC client. */
export const tracedChain = (chain: SettlementChain, { within }: Tracing): SettlementChain => ({
  ...chain,
  sign: (request) => within('sign', 'settlement', () => chain.sign(request)),
})
