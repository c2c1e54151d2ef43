import { NATIVE_MINT } from '@sotto/protocol'
import type { BalanceService } from '@sotto/sdk/balance'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from '../../testing/stage/open-stage.ts'
import type { Measured } from '../report/line.ts'
import type { BareProver } from '../settlement/bare-rate.ts'
import type { SuiteOptions } from '../suite.ts'
import { clientOf, newPayment, topUp, valueFor } from './owner.ts'

export const SIGNATURE_TO_FUNDS = 'balances: signature to funds, p50'
const PAYMENTS = 30
const QUICK_PAYMENTS = 2
/** The first payments aren't counted, because they compile code and open connections. */
const WARM_UP = 2
const POLL_MS = 10
/** A payment takes at least two slots. In the first slot it is proved and sent, and in the second it is confirmed. */
const SLOTS = 2

/**
 * Measures payments out of one balance, one after the other. The measured time starts when the owner sends the
 * signature, and ends when the payee has the money at `confirmed`. After each payment, the prover alone makes a proof.
 * The baseline is the time of this proof plus two slots.
 */
export async function measureSignatureToFunds(
  stage: Stage,
  prover: BareProver,
  slotMs: number,
  { quick, progress }: SuiteOptions,
): Promise<Measured> {
  const payments = (quick ? QUICK_PAYMENTS : PAYMENTS) + WARM_UP
  const client = clientOf(stage)
  let handedIn = (): void => undefined
  const service: BalanceService = {
    ...client,
    signPayment: (...signed) => {
      handedIn()
      return client.signPayment(...signed)
    },
  }
  const balance = await topUp(stage, valueFor(payments), service)
  const values: number[] = []
  const baselines: number[] = []
  for (let index = 0; index < payments; index += 1) {
    const { to, amount } = await newPayment(index)
    const startedMs = new Promise<number>((resolve) => {
      handedIn = () => resolve(performance.now())
    })
    const funded = startedMs.then(async (ms) => {
      while ((await stage.chain.balance(to, NATIVE_MINT)) === 0n) await sleep(POLL_MS)
      return performance.now() - ms
    })
    const sent = balance.send({ key: `${index}`, to, amount })
    // If the payment fails, `sent` rejects. So the run ends instead of waiting for `funded` for ever.
    const [tookMs] = await Promise.all([funded, sent])
    const leastMs = 1_000 / (await prover.rate(1)) + SLOTS * slotMs
    progress(
      `  payment ${index + 1} of ${payments}: ${Math.round(tookMs)} ms, least ${Math.round(leastMs)} ms`,
    )
    if (index < WARM_UP) continue
    values.push(tookMs)
    baselines.push(leastMs)
  }
  return { name: SIGNATURE_TO_FUNDS, unit: 'ms', values, baselines, bar: '<= 1' }
}
