import type { Stage } from '../stage/open-stage.ts'
import type { Ended } from './check-balances.ts'

const EVERY_MS = 500
/** A proof that was made and not sent yet is lost with its worker. */
const LOST_BY_KILL = 1
/** One for the refund, and one if a payee changes between a worker's check and the landing. */
const OF_ATTACKER = 2
/** A failing node costs no extra proof, but an outdated root or time does. */
const SPARE_SHARE = 0.2

/** Counts the proofs that the workers get, from their metrics, which begin at 0 with each start. */
export function countProofs({ metrics }: Stage) {
  let total = 0
  const last = new Map<string, number>()
  const look = async (url: string) => {
    const text = await fetch(url).then((answer) => answer.text())
    const found = text.matchAll(/^sotto_proof_seconds_count\{[^}]*\} (\d+)$/gm)
    const now = [...found].reduce((sum, [, count]) => sum + Number(count), 0)
    const before = last.get(url) ?? 0
    total += now < before ? now : now - before
    last.set(url, now)
  }
  // A worker that restarts counts from 0 again.
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

/** Whether more was proved than orders, kills and attackers account for. */
export function judgeProofs(proofs: number, ended: readonly Ended[], kills: number): string[] {
  const paid = ended.filter(({ status }) => status.status !== 'expired')
  const attacked = paid.filter(({ changes }) => changes !== undefined).length
  const honest = paid.length - attacked
  const most = Math.ceil(honest * (1 + SPARE_SHARE)) + attacked * OF_ATTACKER + kills * LOST_BY_KILL
  if (proofs === 0) return ['no worker said how much it proved']
  return proofs <= most ? [] : [`${proofs} proofs were made, and ${most} are enough`]
}
