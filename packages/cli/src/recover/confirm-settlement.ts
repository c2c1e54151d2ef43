import type { Signature } from '@solana/kit'
import type { CliRpc } from '../amounts/mint-decimals.ts'
import { CliError } from '../cli-error.ts'
import { nowMs, sleep } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'

/** Maximum time in milliseconds to wait for the result. It is longer than the lifetime of a blockhash. */
const PATIENCE_MS = 120_000
const POLL_MS = 500

/**
 * Waits until the chain confirms a settlement. While the node doesn't answer, the wait goes on, because the settlement
 * may land. @throws CliError if the settlement failed or its result isn't known.
 */
export async function confirmSettlement(
  { signal }: CliContext,
  rpc: CliRpc,
  signature: Signature,
  nextIfUnknown = 'run the same command again: a note is settled at most once, so nothing is paid twice',
): Promise<void> {
  const endMs = nowMs() + PATIENCE_MS
  while (nowMs() < endMs) {
    const found = await rpc
      .getSignatureStatuses([signature])
      .send({ abortSignal: signal })
      .then(
        ({ value }) => value[0] ?? undefined,
        () => undefined,
      )
    if (found !== undefined && found.err !== null) {
      const message = 'the settlement failed on chain'
      throw new CliError(EXIT.failure, 'SETTLEMENT_FAILED', message, 'see: sotto recover show')
    }
    if (found !== undefined && found.confirmationStatus !== 'processed') return
    await sleep(POLL_MS, signal)
  }
  throw new CliError(
    EXIT.unavailable,
    'SETTLEMENT_UNKNOWN',
    `it is not known yet whether the settlement ${signature} landed`,
    nextIfUnknown,
  )
}
