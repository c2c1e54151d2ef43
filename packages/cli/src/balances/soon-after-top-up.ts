import { type UnixSeconds, unixSeconds, WAIT_SPREAD_SECONDS } from '@sotto/protocol'
import { readChainClock } from '@sotto/recovery'
import { CliError } from '../cli-error.ts'
import { sleep } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { isoOfSeconds } from '../output/show-time.ts'
import { balanceStore } from './balance-files.ts'

const POLL_MS = 3_000
const WAIT_HOURS = WAIT_SPREAD_SECONDS / 3_600

export interface Soon {
  /** From this second of the chain's clock, a payment's time no longer reveals the top-up. */
  readonly at: UnixSeconds
  /** The chain's clock now, in seconds. */
  readonly clock: UnixSeconds
}

/**
 * Returns the time until which the time of a payment from one of these balances points to a top-up. Undefined if it has
 * passed.
 */
export async function quietFrom(
  { settings, rpc }: Pick<CliContext, 'settings' | 'rpc'>,
  names: readonly string[],
): Promise<Soon | undefined> {
  const { storedBalance } = await import('@sotto/sdk/balance')
  const stored = await Promise.all(
    names.map((name) => storedBalance(balanceStore(settings.home, name))),
  )
  const ends = stored.flatMap((balance) => balance?.linkableUntil ?? [])
  const at = ends.reduce((latest, end) => (end > latest ? end : latest), unixSeconds(0n))
  const clock = await readChainClock(await rpc())
  return at > clock ? { at, clock } : undefined
}

/** The warning that is shown before a payment soon after the top-up. */
export const soonWarning = (at: UnixSeconds): string =>
  'The top-up was a short time ago. Anyone who sees the top-up and this payment\n' +
  `close together can guess that both are yours. After ${isoOfSeconds(at)}, that guess\n` +
  'gets weaker with every other user of the service.'

export interface SoonOptions {
  readonly wait?: boolean
  readonly yes?: boolean
}

/**
 * Handles a payment soon after the balance's top-up. With `--wait`, waits until a random moment. Without `--wait`,
 * warns the person. Without `--wait` and without `--yes`, also offers to wait.
 *
 * @param pause waits between two readings of the chain's clock. Tests replace it.
 * @returns true if the payment will be made soon after the top-up.
 * @throws CliError if the person decides not to pay.
 */
export async function mindTopUp(
  context: CliContext,
  names: readonly string[],
  { wait, yes }: SoonOptions,
  pause: typeof sleep = sleep,
): Promise<boolean> {
  const { output, signal } = context
  const soon = await quietFrom(context, names)
  if (soon === undefined) return false
  if (wait !== true) {
    output.note(soonWarning(soon.at))
    if (yes === true) return true
    const time = isoOfSeconds(soon.at)
    if (
      !(await output.ask(
        `Wait here, and pay at a random moment within ${WAIT_HOURS} hours after ${time}?`,
        signal,
      ))
    ) {
      if (await output.ask('Pay now anyway?', signal)) return true
      const next = `repeat with --wait, which pays at a random moment after ${time}`
      throw new CliError(EXIT.declined, 'SOON_AFTER_TOP_UP', 'nothing was paid', next)
    }
  }
  const { drawPaymentTime } = await import('@sotto/sdk/balance')
  const at = drawPaymentTime(soon.at)
  const chain = await context.rpc()
  // If the node fails once, keep waiting with the last known time. Otherwise a wait of hours would end, and the user
  // would repeat the command, perhaps at a bad moment.
  const read = (former: UnixSeconds) => readChainClock(chain).catch(() => former)
  for (let { clock } = soon; clock < at; clock = await read(clock)) {
    const left = at - clock
    output.progress.doing(
      `waiting for a moment that doesn't point to the top-up: ${left} s left by the chain's clock`,
    )
    await pause(POLL_MS, signal)
  }
  return false
}
