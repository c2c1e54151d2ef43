import type { CliContext } from '../context.ts'
import { checkNode, checkProgram } from './check-chain.ts'
import type { Finding } from './check.ts'
import { checkApiKey, checkService } from './check-service.ts'
import { checkProver, checkWallet } from './check-wallet.ts'

/** Checks everything that a transfer needs. If one check fails, the later checks still run. */
export async function checkEverything(context: CliContext): Promise<Finding[]> {
  const service = await checkService(context)
  const found = await Promise.all([
    checkApiKey(context),
    checkNode(context),
    checkProgram(context),
    checkWallet(context),
  ])
  return [...service, ...found.flat(), checkProver()]
}
