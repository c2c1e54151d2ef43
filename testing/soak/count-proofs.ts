import type { Stage } from '../stage/open-stage.ts'
import type { Ended } from './check-balances.ts'

const EVERY_MS = 500
/**
 * Maximum number of proofs that one kill can waste. A killed worker may have made a proof and not yet sent its
 * transaction.
 */
const LOST_BY_KILL = 1
/**
 * Maximum number of proofs for an attacked order: one for the refund, and one for a delivery whose payee changes after
 * the worker's check.
 */
const OF_ATTACKER = 2
/**
 * The share of proofs that workers may repeat because a root or a time is outdated. Failing nodes don't cause
 * additional proofs.
 */
const SPARE_SHARE = 0.2

/** Counts the workers' proofs from their metrics, which start at 0 in each new process. */
export function countProofs({ metrics }: Stage) {
  let total = 0
  const last = new Map<string, number>()
  const look = async (url: string) => {
    const text = await fetch(url).then((answer) => answer.text())
    const found = text.matchAll(/^sotto_proof_seconds_count\{[^}]*\} (\d+)$/gm)
    const now = [...found].reduce((sum, [, count]) => sum + Number(count), 0)
    const before = last.get(url) ?? 0
    // A worker that restarts counts from 0 again.
    total += now < before ? now : now - before
    last.set(url, now)
  }
  const lookAtAll = () => Promise.all(metrics.map((url) => look(url).catch(() => undefined)))
  const timer = setInterval(() => void lookAtAll(), EVERY_MS)
  return {
    stop: async (): Promise<number> => {
      clearInterval(timer)
      await lookAtAll()
      return total
    },
  }
}

/** Returns a violation if the workers made more proofs than the orders, kills and attacks explain. */
export function judgeProofs(
  proofs: number,
  { ended, payments, kills }: { ended: readonly Ended[]; payments: number; kills: number },
): string[] {
  const paid = ended.filter(({ status }) => status.status !== 'expired')
  const attacked = paid.filter(({ changes }) => changes !== undefined).length
  const honest = paid.length - attacked + payments
  const most = Math.ceil(honest * (1 + SPARE_SHARE)) + attacked * OF_ATTACKER + kills * LOST_BY_KILL
  if (proofs === 0) return ['no worker reported its number of proofs']
  return proofs <= most ? [] : [`${proofs} proofs were made, but at most ${most} were needed`]
}
