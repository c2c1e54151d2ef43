import { startProver } from '@sotto/prover-client'
import { wasmPoseidon } from '@sotto/poseidon'
import { decodeTicket, NATIVE_MINT } from '@sotto/protocol'
import { landNote, readProgramFacts } from '@sotto/recovery'
import type { Signature } from '@solana/kit'
import { fileURLToPath } from 'node:url'
import type { Ordered } from '../demo/src/scenes/transfer.ts'
import type { Stage } from '../demo/src/stage.ts'

const PROVER = fileURLToPath(new URL('../packages/prover/sotto-prover.mjs', import.meta.url))

/**
 * Delivers an order with its ticket and without the service. A new wallet pays for the transaction, and the ledger
 * records the fee. Returns the delivery's signature.
 */
export async function deliverByTicket(stage: Stage, { order }: Ordered): Promise<Signature> {
  const { chain, ledger, sizes } = stage
  const anyone = await stage.wallet('anyone, delivers', { lamports: sizes.solHeld })
  const ticket = decodeTicket(order.recovery)
  // The run itself has deployed the program, and one of its scenes replaces the program with its next version.
  const { sha256 } = await readProgramFacts(chain.rpc, ticket.program)
  const prover = await startProver({ executable: PROVER, processes: 1, queueMax: 1 })
  let signature: Signature
  try {
    signature = await landNote({
      rpc: chain.rpc,
      poseidon: wasmPoseidon,
      prove: async (inputs) => (await prover.prove(inputs)).bytes,
      ticket,
      kind: 'deliver',
      payer: anyone,
      acceptedPrograms: [sha256],
    })
  } finally {
    await prover.stop()
  }
  if (await chain.confirm(signature)) throw new Error('the delivery failed on chain')
  const { fee } = await chain.feeOf(signature)
  ledger.expect(anyone.address, NATIVE_MINT, -fee, 'transaction fee')
  return signature
}
