import { NATIVE_MINT } from '@sotto/protocol'
import { address, generateKeyPairSigner, type Address } from '@solana/kit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chain } from './chain.ts'
import { Ledger } from './ledger.ts'
import type { Progress } from './progress.ts'
import { ServiceApi } from './service-api.ts'
import type { Stage } from './stage.ts'
import { openLocalStack, type LocalStack } from './stack/local-stack.ts'

export interface OpenedStage {
  readonly stage: Stage
  readonly relayers: readonly Address[]
  /** Stops every process and removes the folder. */
  readonly close: () => Promise<void>
}

/** Tokens can't be minted to a wallet before the ledger watches it, so a wallet is made in one go. */
function walletMaker(chain: Chain, ledger: Ledger, usdc: Address): Stage['wallet'] {
  return async (name, holds = {}) => {
    const signer = await generateKeyPairSigner()
    if (holds.lamports !== undefined) await chain.airdrop(signer.address, holds.lamports)
    if (holds.usdc !== undefined) {
      const { signature } = await chain.local<{ signature: string }>('localnet_mintTokens', [
        signer.address,
        usdc,
        String(holds.usdc),
      ])
      await chain.confirm(signature)
    }
    await ledger.watch(name, signer.address)
    return signer
  }
}

async function makeStage(stack: LocalStack, progress: Progress): Promise<Stage> {
  const { setup } = stack
  const chain = new Chain(stack.rpcUrl)
  const symbols = new Map<Address, string>([
    [NATIVE_MINT, 'SOL'],
    [setup.usdc, 'USDC'],
  ])
  const ledger = new Ledger(chain, symbols)
  await ledger.watch('partner', setup.partner)
  for (const [index, relayer] of setup.relayers.entries()) {
    await ledger.watch(`relayer ${index + 1}`, relayer)
  }
  return {
    api: new ServiceApi(stack.baseUrl, setup.apiKey),
    chain,
    ledger,
    progress,
    program: address(stack.program),
    usdc: setup.usdc,
    wallet: walletMaker(chain, ledger, setup.usdc),
    partner: setup.partner,
    stopService: () => stack.stopService(),
    startService: () => stack.startService(),
    transfers: [],
  }
}

/** A fresh stack in a folder of its own, on free ports. */
export async function openStage(progress: Progress, keep: boolean): Promise<OpenedStage> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-demo-'))
  const remove = async () => {
    if (keep) progress.done(`kept in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
  try {
    const stack = await openLocalStack({ folder, apiPort: 0, rpcPort: 0, progress })
    const close = async () => {
      await stack.close()
      await remove()
    }
    return { stage: await makeStage(stack, progress), relayers: stack.setup.relayers, close }
  } catch (error) {
    await remove()
    throw error
  }
}
