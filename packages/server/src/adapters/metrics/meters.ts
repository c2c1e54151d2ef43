import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../ports/clock.ts'
import type { Prices } from '../../ports/prices.ts'
import type { Prover } from '../../ports/prover.ts'
import type { Screener } from '../../ports/screener.ts'
import { durations } from './durations.ts'

/** Wrappers for the service's requests to other services. They count the results. */
export interface Meters {
  readonly prover: (prover: Prover) => Prover
  readonly proverExited: () => void
  /** Records the time that a prover spent on a proof, in milliseconds. Waiting time isn't included. */
  readonly proofMade: (ms: number) => void
  readonly prices: (source: string, prices: Prices) => Prices
  readonly screener: (name: string, screener: Screener) => Screener
  /** Records whether the deny list in memory matches its file. */
  readonly denyListIsCurrent: (isCurrent: boolean) => void
}

/**
 * Upper bounds of the buckets, in seconds. A proof takes a few hundred milliseconds, or longer if it waits for other
 * proofs.
 */
const PROOF_SECONDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]

export function openMeters(registry: Registry, clock: Clock): Meters {
  const registers = [registry]
  const exits = new Counter({
    name: 'sotto_prover_exits_total',
    help: 'Prover processes that ended unexpectedly.',
    registers,
  })
  const busy = new Counter({
    name: 'sotto_prover_busy_seconds_total',
    help: 'Time that provers spent on proofs, without waiting. The rate of this counter, divided by the number of provers, is their utilisation.',
    registers,
  })
  return {
    prover: meteredProver(registry, clock),
    proverExited: () => exits.inc(),
    proofMade: (ms) => busy.inc(Math.max(0, ms) / 1_000),
    prices: meteredPrices(registry),
    ...meteredScreening(registry),
  }
}

function meteredProver(registry: Registry, clock: Clock): Meters['prover'] {
  const seconds = durations(
    {
      name: 'sotto_proof_seconds',
      help: 'Time from the request for a proof to its end, including waiting; outcome proved or failed.',
      labelNames: ['outcome'],
      ends: PROOF_SECONDS,
    },
    registry,
  )
  const inHand = new Gauge({
    name: 'sotto_proofs_in_hand',
    help: 'Proofs that are waiting or being made.',
    registers: [registry],
  })
  return (prover) => ({
    prove: async (witness) => {
      const startMs = clock.nowMs()
      const note = (outcome: string) => {
        inHand.dec()
        seconds(Math.max(0, clock.nowMs() - startMs) / 1_000, { outcome })
      }
      inHand.inc()
      try {
        const proof = await prover.prove(witness)
        note('proved')
        return proof
      } catch (error) {
        note('failed')
        throw error
      }
    },
  })
}

function meteredPrices(registry: Registry): Meters['prices'] {
  const reads = new Counter({
    name: 'sotto_price_reads_total',
    help: 'Rates requested from a source; outcome priced, none (too old, too uncertain, no route) or failed.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  })
  return (source, prices) => {
    for (const outcome of ['priced', 'none', 'failed']) reads.inc({ source, outcome }, 0)
    return {
      readRate: async (...pair) => {
        try {
          const rate = await prices.readRate(...pair)
          reads.inc({ source, outcome: rate === undefined ? 'none' : 'priced' })
          return rate
        } catch (error) {
          reads.inc({ source, outcome: 'failed' })
          throw error
        }
      },
    }
  }
}

function meteredScreening(registry: Registry): Pick<Meters, 'screener' | 'denyListIsCurrent'> {
  const screenings = new Counter({
    name: 'sotto_screenings_total',
    help: 'Checks of an address by a screener, including those that a kept answer decides; outcome passed, refused or failed.',
    labelNames: ['screener', 'outcome'],
    registers: [registry],
  })
  const current = new Gauge({
    name: 'sotto_deny_list_current',
    help: '0 while an earlier deny list stays in use because the file is missing, empty or damaged.',
    registers: [registry],
  })
  current.set(1)
  return {
    denyListIsCurrent: (isCurrent) => current.set(isCurrent ? 1 : 0),
    screener: (name, screener) => {
      for (const outcome of ['passed', 'refused', 'failed']) {
        screenings.inc({ screener: name, outcome }, 0)
      }
      return {
        isRefused: async (address, accountId) => {
          try {
            const isRefused = await screener.isRefused(address, accountId)
            screenings.inc({ screener: name, outcome: isRefused ? 'refused' : 'passed' })
            return isRefused
          } catch (error) {
            screenings.inc({ screener: name, outcome: 'failed' })
            throw error
          }
        },
      }
    },
  }
}
