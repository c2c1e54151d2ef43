import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Mix } from '../load/mix.ts'
import type { Token } from '../load/plan.ts'
import type { TariffEvent } from './script-events.ts'

/** The network fees of an asset, in its base units. */
interface NetworkFees {
  readonly exists: bigint
  /** The fee for a payee that had no token account at the time of the quote. */
  readonly opened: bigint
}

/** The network fees that an asset can have, in ascending order. A history begins with the fees in the middle. */
const STEPS: Readonly<Record<Token, readonly [NetworkFees, NetworkFees, NetworkFees]>> = {
  SOL: [
    { exists: 50_000n, opened: 50_000n },
    { exists: 100_000n, opened: 100_000n },
    { exists: 200_000n, opened: 200_000n },
  ],
  USDC: [
    { exists: 10_000n, opened: 200_000n },
    { exists: 20_000n, opened: 350_000n },
    { exists: 50_000n, opened: 500_000n },
  ],
}
const MIDDLE = 1
const HOUR = 3_600
const TOKENS = ['SOL', 'USDC'] as const

interface Change extends NetworkFees {
  readonly seconds: number
}

/** The network fees of each moment of a history. */
export class Tariffs {
  readonly #changes: Readonly<Record<Token, readonly Change[]>>

  /** Draws the changes of both tariffs. As in the service, an asset's tariff changes at most once an hour. */
  constructor({ hours }: Mix['tariffs'], begin: number, until: number, random: SeededRandom) {
    const drawn = (token: Token): Change[] => {
      const changes: Change[] = [{ ...STEPS[token][MIDDLE], seconds: -Infinity }]
      let step = MIDDLE
      let seconds = begin
      while (hours > 0) {
        const gap = -Math.log(random.between(1, SCALE) / SCALE) * Math.max(0, hours - 1)
        seconds += Math.round((1 + gap) * HOUR)
        if (seconds > until) break
        step = step === MIDDLE ? random.pick([0, 2]) : MIDDLE
        changes.push({ ...(STEPS[token][step] ?? STEPS[token][MIDDLE]), seconds })
      }
      return changes
    }
    this.#changes = { SOL: drawn('SOL'), USDC: drawn('USDC') }
  }

  at(token: Token, seconds: number): NetworkFees {
    const changes = this.#changes[token].filter((one) => one.seconds <= seconds)
    return changes.at(-1) ?? STEPS[token][MIDDLE]
  }

  events(): TariffEvent[] {
    return TOKENS.flatMap((asset) =>
      this.#changes[asset]
        .slice(1)
        .map(({ seconds }): TariffEvent => ({ is: 'tariff', seconds, asset })),
    )
  }
}

const SCALE = 2 ** 30
