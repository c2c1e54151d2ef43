import { PUBLIC_CLUSTERS } from '@sotto/protocol'
import type { ChainFacts } from './chain-facts.ts'
import type { Findings } from './refusal.ts'

/** Which programs the caller lets guard its money. */
export interface AcceptedPrograms {
  /**
   * SHA-256 of the code, as hex, of each program that is accepted; every other one is refused.
   * `PROGRAM_SHA256` is the program of this release.
   */
  readonly acceptedPrograms: readonly string[]
  /**
   * True on a chain of one's own, where money is worth nothing: accepts a program with a development key,
   * whose maker can empty the vaults. Such a program is refused on mainnet, devnet and testnet all the same.
   */
  readonly isLocalChain?: boolean | undefined
}

/** What an order promises is worth what the program is that keeps the promise. */
export function checkProgram(
  findings: Findings,
  { program, genesisHash }: Pick<ChainFacts, 'program' | 'genesisHash'>,
  { acceptedPrograms, isLocalChain }: AcceptedPrograms,
): void {
  // Callers without types may leave the list out.
  const accepted: readonly unknown[] = Array.isArray(acceptedPrograms) ? acceptedPrograms : []
  findings.demand(
    accepted.includes(program.sha256),
    'program_unknown',
    `the program's code has the hash ${program.sha256}, which acceptedPrograms does not name; ` +
      'name it only if you know whose program it is',
  )
  if (!program.hasDevelopmentKey) return
  const isOwnChain = genesisHash !== undefined && !Object.hasOwn(PUBLIC_CLUSTERS, genesisHash)
  findings.demand(
    isLocalChain === true && isOwnChain,
    'development_key',
    'the program has a development key, whose maker can take every deposit: it is for local chains; ' +
      'on a local chain of your own give isLocalChain: true',
  )
}
