import { PUBLIC_CLUSTERS, unacceptedProgram } from '@sotto/protocol'
import type { ChainFacts } from './chain-facts.ts'
import type { Findings } from './refusal.ts'

/** The programs that the caller trusts with its money. */
export interface AcceptedPrograms {
  /**
   * SHA-256 of the code of each program that you accept, as hex. The SDK refuses every other program.
   * `PROGRAM_SHA256` is the hash of this release's program.
   */
  readonly acceptedPrograms: readonly string[]
  /**
   * Set this to true only on your own chain, whose money has no value. The SDK then accepts a program with a
   * development key, although the person who made that key can empty the vaults. On mainnet, devnet and testnet, the
   * SDK refuses such a program even with this option.
   */
  readonly isLocalChain?: boolean | undefined
}

/** Checks the program, because only the program enforces what an order promises. */
export function checkProgram(
  findings: Findings,
  { program, genesisHash }: Pick<ChainFacts, 'program' | 'genesisHash'>,
  { acceptedPrograms, isLocalChain }: AcceptedPrograms,
): void {
  // Callers in plain JavaScript may omit the list.
  const accepted: readonly unknown[] = Array.isArray(acceptedPrograms) ? acceptedPrograms : []
  const problem = unacceptedProgram(program.sha256, accepted)
  if (problem !== undefined) findings.demand(false, 'program_unknown', problem)
  if (!program.hasDevelopmentKey) return
  const isOwnChain = genesisHash !== undefined && !Object.hasOwn(PUBLIC_CLUSTERS, genesisHash)
  findings.demand(
    isLocalChain === true && isOwnChain,
    'development_key',
    'the program has a development key, whose maker can take every deposit, so it is only for local chains; ' +
      'on your own local chain set isLocalChain: true',
  )
}
