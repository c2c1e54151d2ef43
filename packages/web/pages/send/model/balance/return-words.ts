import { lastRefundClock, type UnixSeconds } from '@sotto/protocol'
import type { ShownNote } from '@sotto/sdk/balance'
import { isoOfSeconds, showDay } from '../../../look/durations.ts'
import { balanceFileName } from '../ticket-file.ts'

/**
 * True if the balance came to this browser in a file. Then the page doesn't know whether its top-up asked the service
 * to return the rest. A top-up of this page always does. `restoreFile` names a balance after its order, and all other
 * names are random.
 */
export const isFromFile = (name: string, { orderId }: Pick<ShownNote, 'orderId'>): boolean =>
  name === orderId

/** For a balance from a file: the rest may not return by itself. */
const PERHAPS_NOT =
  'This browser does not know how this balance was opened. If it was opened with --no-return (autoReturn: false), nothing returns by itself: take the rest back before the end.'

/** Says what happens at the end of a balance that is open. */
export function returnSentence(isOfFile: boolean, wallet: string): string {
  const returns = `What is left at the end returns by itself to ${wallet}. The return costs no fee, but it shows everyone exactly how much you have sent in total.`
  return isOfFile ? `${returns} ${PERHAPS_NOT}` : returns
}

/** Says what happens to the rest of a balance that has ended, and until when its owner can bring it back. */
export function endedSentence(
  isOfFile: boolean,
  wallet: string,
  { orderId, endsAt }: { readonly orderId: string; readonly endsAt: UnixSeconds },
): string {
  const until = showDay(isoOfSeconds(lastRefundClock(endsAt)))
  const returns = isOfFile
    ? `Unless it was opened with --no-return (autoReturn: false), what was left returns by itself to ${wallet}.`
    : `What was left returns by itself to ${wallet}.`
  return `You can’t send from it any more. ${returns} Keep the balance file until the money is there. If the money does not come within a day, bring it back without this service: give the file to the command sotto recover refund ${balanceFileName(orderId)}. This is possible until ${until}. After that, the money is lost.`
}
