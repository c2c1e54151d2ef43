import type { Address } from '@solana/kit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chain } from '../../../demo/src/chain.ts'
import { silence } from '../../../demo/src/progress.ts'
import { callLocal } from '../../../demo/src/stack/call-local.ts'
import { keypairFile } from '../../../demo/src/stack/keypair-file.ts'
import { openLocalStack, type LocalStack } from '../../../demo/src/stack/local-stack.ts'
import { localTreasury } from '../../../demo/src/stack/local-treasury.ts'
import { runSotto, type Ended } from './run-sotto.ts'

/** Service and chain as processes, and a partner's machine with a funded wallet. */
export interface LocalPartner {
  readonly stack: LocalStack
  readonly chain: Chain
  readonly wallet: Address
  /** The partner's own files. */
  readonly home: string
  readonly env: Record<string, string>
  readonly sotto: (...args: string[]) => Promise<Ended>
  readonly sottoWatched: (
    args: readonly string[],
    watch: Parameters<typeof runSotto>[2],
  ) => Promise<Ended>
  /** A wallet that nobody has seen. */
  readonly newWallet: () => Promise<Address>
  readonly advance: (seconds: bigint) => Promise<void>
  /** Stops the service and deletes all that it had, its keys too; the chain goes on. */
  readonly loseService: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openLocalPartner(): Promise<LocalPartner> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-cli-'))
  const stackFolder = join(folder, 'stack')
  const stack = await openLocalStack({
    ...{ folder: stackFolder, apiPort: 0, rpcPort: 0, progress: silence },
  })
  const { rpcUrl } = stack
  const chain = new Chain(rpcUrl)
  const home = join(folder, 'partner')
  const keypair = join(home, 'wallet.json')
  const { address: wallet } = await keypairFile(keypair)
  await localTreasury(chain, rpcUrl).fund(wallet, 20_000_000_000n)
  const env = {
    SOTTO_URL: stack.baseUrl,
    SOTTO_RPC_URL: rpcUrl,
    SOTTO_PROGRAM_ID: stack.program,
    SOTTO_API_KEY: stack.setup.apiKey,
    SOTTO_KEYPAIR: keypair,
    SOTTO_HOME: home,
  }
  let wallets = 0
  return {
    ...{ stack, chain, wallet, home, env },
    sotto: (...args) => runSotto(args, env),
    sottoWatched: (args, watch) => runSotto(args, env, watch),
    newWallet: async () =>
      (await keypairFile(join(folder, 'wallets', `${(wallets += 1)}.json`))).address,
    advance: async (seconds) => {
      await callLocal(rpcUrl, 'localnet_advanceTime', [Number(seconds)])
    },
    loseService: async () => {
      await stack.stopService()
      for (const part of ['server', 'keys', 'prices.json', 'setup.json', 'set-up.jsonl']) {
        await rm(join(stackFolder, part), { recursive: true, force: true })
      }
    },
    close: async () => {
      await stack.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
