import { programDataAddress, PUBLIC_CLUSTERS, shownProgramFacts } from '@sotto/protocol'
import { readAccount, readChainClock, readPool } from '@sotto/recovery'
import { nowMs } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { isoOfSeconds } from '../output/show-time.ts'
import type { CliRpc } from '../amounts/mint-decimals.ts'
import { fail, ok, reasonOf, warn, type Finding } from './check.ts'

const SKEW_MAX_SECONDS = 120n

/** Checks whether the node responds, and shows its cluster and the chain's clock. */
export async function checkNode(context: CliContext): Promise<Finding[]> {
  // Show only the host. Providers put keys into the path, the query and the user name, and users paste this output in
  // public places.
  const { host } = new URL(context.settings.rpcUrl)
  const rpc = await context.rpc()
  try {
    const genesis = await rpc.getGenesisHash().send()
    const slot = await rpc.getSlot({ commitment: 'confirmed' }).send()
    const cluster = PUBLIC_CLUSTERS[genesis] ?? 'a private cluster'
    const node = ok('RPC', `${host} is ${cluster}, at slot ${slot}`)
    return [node, await checkChainClock(rpc)]
  } catch (error) {
    const fix = 'start the node (npm start), or correct --rpc or SOTTO_RPC_URL'
    return [fail('RPC', `${host} does not answer: ${reasonOf(error)}`, fix)]
  }
}

/** Deadlines follow the chain's clock. So a difference from this machine's clock is shown, but isn't a fault. */
async function checkChainClock(rpc: CliRpc): Promise<Finding> {
  const chain = await readChainClock(rpc)
  const here = BigInt(Math.floor(nowMs() / 1_000))
  const apart = chain > here ? chain - here : here - chain
  const text = `${isoOfSeconds(chain)}, ${apart} s ${chain > here ? 'ahead of' : 'behind'} this machine`
  if (apart <= SKEW_MAX_SECONDS) return ok("chain's clock", text)
  return warn(
    "chain's clock",
    text,
    'deadlines follow the chain’s clock: on a public cluster, check this machine’s clock and --rpc',
  )
}

/** Checks whether the program is the one for which this command was built, and shows who can replace it. */
export async function checkProgram(context: CliContext): Promise<Finding[]> {
  const fix = 'correct --program or SOTTO_PROGRAM_ID, or --rpc'
  try {
    const { programId } = context.settings
    const rpc = await context.rpc()
    const facts = shownProgramFacts(await readAccount(rpc, await programDataAddress(programId)))
    if (facts === undefined) return [fail('program', `${programId} is not on this cluster`, fix)]
    const { sha256, isExpected, hasDevelopmentKey, upgradeAuthority } = facts
    const cluster = hasDevelopmentKey
      ? PUBLIC_CLUSTERS[await rpc.getGenesisHash().send()]
      : undefined
    const hash = `sha256 ${sha256}`
    return [
      isExpected
        ? ok('program', `${hash}, the program of this release`)
        : fail(
            'program',
            `${hash}, not the program of this release`,
            'use the release of this program',
          ),
      ...(cluster === undefined
        ? []
        : [
            fail(
              'proving key',
              `a development key on ${cluster}: its maker can take every deposit`,
              'pay nothing into this program; use a program whose key comes from a ceremony',
            ),
          ]),
      upgradeAuthority === null
        ? ok('upgrade authority', "none: the program can't be changed")
        : warn(
            'upgrade authority',
            `${upgradeAuthority} may replace the program`,
            'trust that key, or ask the operator to make the program final',
          ),
      await checkPool(rpc, context),
    ]
  } catch (error) {
    return [fail('program', reasonOf(error), fix)]
  }
}

async function checkPool(rpc: CliRpc, { settings }: CliContext): Promise<Finding> {
  const { depositsPaused } = await readPool(rpc, settings.programId)
  return depositsPaused
    ? warn(
        'pool',
        'new transfers are paused',
        'wait, or ask the operator; deliveries and refunds continue',
      )
    : ok('pool', 'new transfers are accepted')
}
