import type { Address } from '@solana/kit'
import { join } from 'node:path'
import { Chain } from '../../demo/src/chain.ts'
import { waitingPassage } from '../../demo/src/passage.ts'
import { silence } from '../../demo/src/progress.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { payerTreasury } from '../../demo/src/stack/payer-treasury.ts'
import { openValidator } from '../../tools/validator/open-validator.ts'
import type { GroundChain, Undo } from './open-ground.ts'

/** Agave's test validator as a stage's chain. The wallet that is funded in the genesis block pays for everything. */
export async function openValidatorChain(keys: string, undo: Undo): Promise<GroundChain> {
  const { rpcUrl, program, payerFile, stop } = await openValidator()
  undo.push(stop)
  const chain = new Chain(rpcUrl)
  const passage = waitingPassage(chain, silence)
  return {
    ...{ rpcUrl, chain, adminFile: payerFile, isTimeOurs: false },
    program: program as Address,
    treasury: payerTreasury(chain, await keypairFile(payerFile), join(keys, 'token.json')),
    advance: async (seconds) => passage.untilTime((await chain.clock()) + BigInt(seconds)),
  }
}
