import { NATIVE_MINT } from '@sotto/protocol'
import { createSottoClient } from '@sotto/sdk/server'
import { address, generateKeyPairSigner, type Address, type Signature } from '@solana/kit'
import type { Chain } from './chain.ts'
import { Ledger } from './ledger.ts'
import type { Passage } from './passage.ts'
import type { Progress } from './progress.ts'
import { readRentHeld } from './rent-held.ts'
import { readFees } from './report/books.ts'
import { ServiceApi } from './service-api.ts'
import type { Stage } from './stage.ts'
import type { ServiceStack } from './stack/service-stack.ts'
import type { Treasury } from './stack/treasury.ts'

/** Everything that the scenes need besides the service: a chain, money, and control of the chain's time. */
export interface Surroundings {
  readonly chain: Chain
  readonly treasury: Treasury
  readonly passage: Passage
  readonly progress: Progress
}

/**
 * Returns a function that creates and funds a wallet. The ledger starts to watch the wallet only after that, so the
 * funds belong to the wallet's initial balance.
 */
function walletMaker(treasury: Treasury, ledger: Ledger, usdc: Address): Stage['wallet'] {
  return async (name, holds = {}) => {
    const signer = await generateKeyPairSigner()
    if (holds.lamports !== undefined) await treasury.fund(signer.address, holds.lamports)
    if (holds.usdc !== undefined) await treasury.mint(signer.address, usdc, holds.usdc)
    await ledger.watch(name, signer.address)
    return signer
  }
}

async function newestSignatures(
  chain: Chain,
  accounts: readonly Address[],
): Promise<Map<Address, Signature>> {
  const newest = new Map<Address, Signature>()
  for (const account of accounts) {
    const [entry] = await chain.history(account)
    if (entry !== undefined) newest.set(account, entry.signature)
  }
  return newest
}

/** Prepares the stage for the scenes on a running service. The ledger also watches the service's own wallets. */
export async function makeStage(stack: ServiceStack, around: Surroundings): Promise<Stage> {
  const { setup, sizes } = stack
  const { chain, treasury, passage, progress } = around
  const program = address(stack.program)
  const symbols = new Map<Address, string>([
    [NATIVE_MINT, 'SOL'],
    [setup.usdc, 'USDC'],
  ])
  const ledger = new Ledger(chain, symbols)
  await ledger.watch('partner', setup.partner)
  for (const [index, relayer] of setup.relayers.entries()) {
    await ledger.watch(`relayer ${index + 1}`, relayer)
  }
  const before = {
    rent: await readRentHeld(chain, program),
    newest: await newestSignatures(chain, setup.relayers),
    fees: await readFees({ chain, program, usdc: setup.usdc }),
  }
  return {
    ...{ chain, ledger, progress, passage, program, sizes, before },
    rpcUrl: stack.rpcUrl,
    api: new ServiceApi(stack.baseUrl, setup.apiKey),
    sdk: createSottoClient({ baseUrl: stack.baseUrl, apiKey: setup.apiKey }),
    usdc: setup.usdc,
    wallet: walletMaker(treasury, ledger, setup.usdc),
    partner: setup.partner,
    stopService: () => stack.stopService(),
    startService: () => stack.startService(),
    ...{ transfers: [], balances: [] },
  }
}
