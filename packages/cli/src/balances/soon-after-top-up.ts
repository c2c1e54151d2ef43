import { readChainClock } from '@sotto/recovery'
import { CliError } from '../cli-error.ts'
import { sleep } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { isoOfSeconds } from '../output/show-time.ts'
import { readFacts } from './balance-facts.ts'

/** A payment this soon after the top-up is likely linked to it: few other deposits lie in between. */
export const SOON_SECONDS = 3_600n
const POLL_MS = 3_000

/** The chain's second from which a payment is no longer soon after the top-up; undefined if that has passed. */
export async function quietFrom(
  { settings, rpc }: Pick<CliContext, 'settings' | 'rpc'>,
  names: readonly string[],
): Promise<{ readonly at: bigint; readonly clock: bigint } | undefined> {
  const facts = await Promise.all(names.map((name) => readFacts(settings.home, name)))
  const ends = facts.flatMap(({ toppedUpAt }) =>
    toppedUpAt === null ? [] : [BigInt(toppedUpAt) + SOON_SECONDS],
  )
  const at = ends.reduce((latest, end) => (end > latest ? end : latest), 0n)
  const clock = await readChainClock(await rpc())
  return at > clock ? { at, clock } : undefined
}

/** What a person must know before a payment soon after the top-up. */
export const soonWarning = (at: bigint): string =>
  'The top-up was less than an hour ago. Anyone who sees the top-up and this payment\n' +
  `close together can guess that both are yours. From ${isoOfSeconds(at)} on that guess\n` +
  'is weak if others have used the service meanwhile.'

export interface SoonOptions {
  readonly wait?: boolean
  readonly yes?: boolean
}

/**
 * Before a payment soon after its top-up: waits with `--wait`; otherwise warns, and offers to wait unless `--yes` answers.
 *
 * @returns true if the payment is made soon after the top-up.
 * @throws CliError if the person decides against it.
 */
export async function mindTopUp(
  context: CliContext,
  names: readonly string[],
  { wait, yes }: SoonOptions,
): Promise<boolean> {
  const { output, signal } = context
  let soon = await quietFrom(context, names)
  if (soon === undefined) return false
  if (wait !== true) {
    output.note(soonWarning(soon.at))
    if (yes === true) return true
    const time = isoOfSeconds(soon.at)
    if (!(await output.ask(`Wait here until ${time}, and pay then?`, signal))) {
      if (await output.ask('Pay now all the same?', signal)) return true
      const next = 'repeat with --wait, which pays as soon as that hour is over'
      throw new CliError(EXIT.declined, 'SOON_AFTER_TOP_UP', 'nothing was paid', next)
    }
  }
  while (soon !== undefined) {
    const left = soon.at - soon.clock
    output.progress.doing(`waiting until the hour after the top-up is over: ${left} s by the chain`)
    await sleep(POLL_MS, signal)
    soon = await quietFrom(context, names)
  }
  return false
}
