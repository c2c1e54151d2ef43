import type { CliContext } from '../context.ts'
import { checkNode, checkProgram } from './check-chain.ts'
import type { Finding } from './check.ts'
import { checkApiKey, checkService } from './check-service.ts'
import { checkProver, checkWallet } from './check-wallet.ts'

/** Every part that a transfer needs; one that fails keeps no other from being looked at. */
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
