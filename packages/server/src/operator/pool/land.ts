import {
  customCodeOf,
  DEATHS,
  errorText,
  mayBeSent,
  PROGRAM_ERRORS,
  systemPaceClock,
} from '@sotto/protocol'
import { getTransactionDecoder, type Signature } from '@solana/kit'
import { sendTransaction } from '../../adapters/chain/settlement/send-transaction.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { OperatorContext } from '../context.ts'
import { nonceAccountOf } from '../durable-nonce.ts'
import { fateByNode, fateByNodes, type SentTransaction } from './proven-dead.ts'

/**
 * Pauses between two checks, in milliseconds. A local chain confirms immediately, and a public chain within seconds. A
 * check also sends the transaction again, and makes up to five requests, two of them with the same method. With the
 * longer pause, a command stays far below the limits of public nodes.
 */
const [FIRST_POLL_MS, POLL_MS] = [50, 2_000] as const
/**
 * Time after which the command ends even if the transaction's fate is unknown. A blockhash is valid for one to two
 * minutes. Limiting the number of polls wouldn't limit the time, because a request can last for minutes.
 */
const LANDING_MS = 300_000
/** Time limit of a request. */
const REQUEST_MS = 30_000
/** Maximum number of polls in which only the first node reports the transaction dead: about a minute. */
const DOUBTS_MAX = 30

const AFTER_DURABLE =
  'It has a durable nonce, so it stays valid. Submit it again, or use up the nonce with `solana new-nonce` so that the transaction never lands'
const AFTER_UNKNOWN = 'Search for the transaction on the chain before you run the command again'

const doubted = (signature: string): string =>
  `the nodes differ on whether the transaction ${signature} can still land: check with \`pool show\` whether it changed ` +
  'anything, repair the node that is wrong or take it out of SOTTO_RPC_URLS, and then run the command again'

/** The parts of a command's context that are needed to send a transaction. */
export type LandingContext = Pick<
  OperatorContext,
  'clock' | 'rpc' | 'witnesses' | 'steadyMs' | 'report' | 'onInterrupt'
>

/**
 * Sends a signed transaction repeatedly until it is confirmed. Returns false if the transaction is proven dead: see
 * `fateOf`. If there are several nodes, at least two must report the transaction dead. If there is only one node, this
 * node must report the transaction dead twice in a row. Ends after five minutes in any case. A node that fails doesn't
 * end the command sooner, because the transaction may land. The signature is reported before the transaction is sent,
 * so that an operator who ends the command knows the signature.
 *
 * @throws OperatorError if the transaction failed in a block, if every node refused it, or if it is uncertain whether
 * it can still land. The message has the signature and the next step.
 */
export async function land(context: LandingContext, signed: SentTransaction): Promise<boolean> {
  const { report = () => undefined, onInterrupt } = context
  const { signature } = signed
  report(`sending the transaction ${signature}`)
  const ignore = onInterrupt?.(() =>
    report(
      `waiting until the transaction ${signature} lands or can't land any more, for at most five minutes. Ctrl-C again ends the ` +
        'command at once; the transaction may then still land',
    ),
  )
  try {
    return await sendUntilKnown(context, signed)
  } finally {
    ignore?.()
  }
}

async function sendUntilKnown(context: LandingContext, signed: SentTransaction): Promise<boolean> {
  const { clock, rpc, steadyMs = systemPaceClock.nowMs } = context
  const endMs = steadyMs() + LANDING_MS
  const limit = () =>
    AbortSignal.timeout(Math.min(REQUEST_MS, Math.max(0, Math.ceil(endMs - steadyMs()))))
  const judge = judgeOf(context, signed)
  let failure: unknown
  for (let pauseMs: number = FIRST_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, POLL_MS)) {
    try {
      await sendTransaction(rpc, signed.wire, limit())
    } catch (cause) {
      if (pauseMs === FIRST_POLL_MS && !mayBeSent(cause)) throw refused(signed, cause)
      failure = cause
    }
    await clock.sleep(pauseMs)
    try {
      const end = await judge(limit)
      if (end !== undefined) return end === 'landed'
    } catch (cause) {
      if (cause instanceof OperatorError) throw cause
      failure = cause
    }
    if (steadyMs() >= endMs) throw unknownEnd(signed, failure)
  }
}

/** The error for a transaction that no node accepted. */
const refused = ({ signature }: SentTransaction, cause: unknown): OperatorError =>
  new OperatorError(
    `the nodes refuse to send the transaction ${signature}: ${messageOf(cause)}. ${AFTER_UNKNOWN}`,
    { cause },
  )

function unknownEnd(signed: SentTransaction, cause: unknown): OperatorError {
  const isDurable = nonceAccountOf(getTransactionDecoder().decode(signed.wire)) !== undefined
  const failed = cause === undefined ? '' : `; a request to a node failed: ${messageOf(cause)}`
  return new OperatorError(
    `after five minutes it isn't known whether the transaction ${signed.signature} landed. It may have landed, or may ` +
      `still land${failed}. ${isDurable ? AFTER_DURABLE : AFTER_UNKNOWN}`,
    { cause },
  )
}

/** The first line of an error's message. */
const messageOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0] ?? ''

type Judge = (limit: () => AbortSignal) => Promise<'landed' | 'dead' | undefined>

/** Returns a function that asks the nodes whether the transaction has landed or is dead. */
function judgeOf({ rpc, witnesses = [] }: LandingContext, signed: SentTransaction): Judge {
  let deaths = 0
  let doubts = 0
  return async (limit) => {
    if (await isConfirmed(rpc, signed.signature, limit())) return 'landed'
    // The other nodes are queried only after the first node has reported the transaction dead.
    const fate = await fateByNode(rpc, signed, limit()).catch((error: unknown) => {
      deaths = 0
      throw error
    })
    const isDead = fate === 'dead'
    deaths = isDead ? deaths + 1 : 0
    if (witnesses.length === 0) return deaths >= DEATHS ? 'dead' : undefined
    if (!isDead) return undefined
    if ((await fateByNodes(witnesses, signed)) === 'dead') return 'dead'
    doubts += 1
    if (doubts >= DOUBTS_MAX) throw new OperatorError(doubted(signed.signature))
    return undefined
  }
}

/** True if a confirmed block has the transaction. @throws OperatorError if the transaction failed in its block. */
export async function isConfirmed(
  rpc: OperatorContext['rpc'],
  signature: string,
  abortSignal?: AbortSignal,
): Promise<boolean> {
  const options = { searchTransactionHistory: true }
  const { value } = await rpc
    .getSignatureStatuses([signature as Signature], options)
    .send(abortSignal && { abortSignal })
  const [status] = value
  if (status?.err) throw new OperatorError(explain(status.err))
  return Boolean(status?.confirmationStatus && status.confirmationStatus !== 'processed')
}

/**
 * The text of an error: the program's own message if the program refused the transaction, otherwise the chain's text.
 */
export function explain(reason: unknown): string {
  const code = customCodeOf(reason)
  const known = PROGRAM_ERRORS.find((error) => error.code === code)
  if (known !== undefined) return `the program refuses: ${known.message} (${known.name})`
  return `the chain refuses the transaction: ${errorText(reason)}`
}
