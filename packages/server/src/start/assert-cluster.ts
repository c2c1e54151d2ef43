import {
  isFeatureActive,
  programDataAddress,
  PROGRAM_SHA256,
  REQUIRED_FEATURES,
  shownProgramFacts,
} from '@sotto/protocol'
import { startProcessProver } from '../adapters/prover/process-prover.ts'
import { readAccounts } from '../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { thisRelease } from '../config/mainnet-rules.ts'
import type { Config } from '../config.ts'
import { assertNodes, type CheckedNodes } from './assert-nodes.ts'
import { OperatorError } from './operator-error.ts'
import { provingKeyFault } from './proving-key.ts'

/**
 * Checks the nodes, the cluster and the program before the service starts. The program must be the program of this
 * release, or a program whose hash the operator has configured.
 *
 * @throws OperatorError that names the correction.
 */
export async function assertCluster(
  rpc: ChainRpc,
  config: Config,
  others: Omit<CheckedNodes, 'rpc'> = {},
): Promise<void> {
  const cluster = await assertNodes(config, { rpc, ...others })
  await assertFeatures(rpc)
  await assertProgram(rpc, config)
  if (cluster === 'mainnet') await assertProvingKey(config)
}

/**
 * Checks that the cluster has activated the features that the program needs. If a feature were missing, the program
 * couldn't be deployed, or deliveries of landed deposits would fail.
 */
async function assertFeatures(rpc: ChainRpc): Promise<void> {
  const addresses = REQUIRED_FEATURES.map(({ address }) => address)
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'confirmed' })
  const missing = REQUIRED_FEATURES.filter((_, index) => !isFeatureActive(accounts[index]))
  if (missing.length === 0) return
  const named = missing.map(
    ({ name, address, neededFor }) => `${name} (${address}) for ${neededFor}`,
  )
  throw new OperatorError(
    `this cluster has not activated features that the program needs: ${named.join('; ')}; use a cluster that has them`,
  )
}

async function assertProgram(rpc: ChainRpc, config: Config): Promise<void> {
  const address = await programDataAddress(config.PROGRAM_ID)
  const { accounts } = await readAccounts(rpc, [address], { commitment: 'confirmed' })
  const facts = shownProgramFacts(accounts[0])
  if (facts === undefined) {
    throw new OperatorError(
      `no program is deployed at ${config.PROGRAM_ID} on this cluster; deploy program/artefacts/sotto_program.so, or correct SOTTO_PROGRAM_ID`,
    )
  }
  const { sha256 } = facts
  const expected = config.PROGRAM_SHA256 ?? PROGRAM_SHA256
  if (sha256 !== expected) {
    throw new OperatorError(
      `the program at ${config.PROGRAM_ID} has the hash ${sha256}, not ${expected}; deploy the program of this release, or set SOTTO_PROGRAM_SHA256 to a hash that you have verified`,
    )
  }
}

async function assertProvingKey(config: Config): Promise<void> {
  const prover = await startProcessProver({ processes: 1 })
  await prover.stop()
  const fault = provingKeyFault(thisRelease, prover, config)
  if (fault !== undefined) throw new OperatorError(fault)
}
