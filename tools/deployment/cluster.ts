import { lamports } from '@solana/kit'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Chain } from '../../demo/src/chain.ts'
import { startProcess } from '../../demo/src/stack/child-process.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import type { Options } from './options.ts'
import { genesisWithSquads } from './squads.ts'
import { openValidator } from '../validator/open-validator.ts'
import { SHREDS, type RunningValidator } from '../validator/start-validator.ts'

const LOCALNET = fileURLToPath(new URL('../../packages/localnet/src/main.ts', import.meta.url))
const LAMPORTS = 100_000_000_000n

/** A cluster on which our program isn't deployed. */
export type BareCluster = Pick<RunningValidator, 'rpcUrl' | 'payerFile' | 'stop'>

/**
 * Starts Agave's test validator or the embedded chain. If the options name a file of the multisig program, the
 * validator gets that program.
 */
export async function openCluster(
  home: string,
  { embedded, rent, squads }: Options,
): Promise<BareCluster> {
  if (!embedded) {
    const more = squads === undefined ? [] : await genesisWithSquads(squads, home)
    return openValidator(SHREDS, true, more)
  }
  const priced = rent === undefined ? [] : ['--rent', rent]
  const more = ['--json', '--port', '0', '--standard-only', ...priced]
  const chain = await startProcess<{ rpcUrl: string }>('the local chain', LOCALNET, more)
  const { rpcUrl } = chain.ready
  const payerFile = path.join(home, 'payer.json')
  const payer = await keypairFile(payerFile)
  const client = new Chain(rpcUrl)
  await client.confirm(await client.rpc.requestAirdrop(payer.address, lamports(LAMPORTS)).send())
  return { rpcUrl, payerFile, stop: () => chain.stop() }
}
