import { powersOfTau, zKey } from 'snarkjs'
import type { Logger } from 'snarkjs'

/** A contribution in a file that snarkjs verified. `hash` is the BLAKE2b-512 that snarkjs prints. */
export interface VerifiedStep {
  name: string
  hash: string
  beacon?: { hex: string; iterationsExp: number }
}

/** A verified file of powers of tau. Phase 2 needs a prepared file. */
export interface VerifiedPowers {
  steps: VerifiedStep[]
  isPrepared: boolean
}

/**
 * Verifies powers of tau from the generators to the last contribution, and returns the contributions.
 *
 * The list comes from snarkjs' own report, so it contains exactly the contributions that snarkjs verified. Anyone can
 * get the same list with `npx snarkjs powersoftau verify`.
 *
 * @throws Error if any step fails.
 */
export async function verifyPowersOfTau(path: string, name: string): Promise<VerifiedPowers> {
  const report = new Report()
  const holds = await attempt(name, () => powersOfTau.verify(path, report))
  if (!holds) throw refusal(name, report)
  const isPrepared = !report.warnings.some((line) => line.includes('phase2 precalculated'))
  return { steps: report.steps(/^Contribution #([0-9]+): (.*)$/s), isPrepared }
}

/**
 * Verifies a proving key against two files: `initial` is the key before any contribution, and `prepared` contains the
 * prepared powers of tau.
 *
 * @throws Error if any step fails.
 */
export async function verifyProvingKey(
  path: string,
  name: string,
  initial: string,
  prepared: string,
): Promise<VerifiedStep[]> {
  const report = new Report()
  const holds = await attempt(name, () => zKey.verifyFromInit(initial, prepared, path, report))
  if (!holds) throw refusal(name, report)
  return report.steps(/^contribution #([0-9]+) (.*):\n[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*$/s)
}

async function attempt(name: string, verify: () => Promise<boolean>): Promise<boolean> {
  try {
    return await verify()
  } catch (cause) {
    throw new Error(`${name} is damaged or of another kind.`, { cause })
  }
}

const refusal = (name: string, report: Report) =>
  new Error(`${name} does not verify: ${report.errors.join(' ') || 'a contribution is invalid.'}`)

/** Collects the messages that snarkjs logs during a verification. snarkjs calls `info` once for each statement. */
class Report implements Logger {
  readonly errors: string[] = []
  readonly warnings: string[] = []
  readonly #statements: string[] = []

  debug(): void {
    // These messages only report progress.
  }
  info(line: string): void {
    this.#statements.push(line)
  }
  warn(line: string): void {
    this.warnings.push(line)
  }
  error(line: string): void {
    this.errors.push(line)
  }

  /**
   * The contributions that the report lists under headings that match `heading`, from first to last. snarkjs lists the
   * last contribution first.
   */
  steps(heading: RegExp): VerifiedStep[] {
    const steps: VerifiedStep[] = []
    for (const line of this.#statements) {
      const [, number, name] = heading.exec(line) ?? []
      const step = steps[0]
      if (number !== undefined) steps.unshift({ name: name ?? '', hash: hashIn(line) })
      // If the heading contains no hash, the next hash in the report is the contribution's hash. The hash after that is
      // the hash of the previous challenge.
      else if (line.startsWith('Response Hash:') && step?.hash === '') step.hash = hashIn(line)
      else readBeacon(line, step)
    }
    if (steps.some(({ hash }) => hash.length !== 128)) {
      throw new Error(
        'The report of a verification cannot be read: is this another version of snarkjs?',
      )
    }
    return steps
  }
}

function readBeacon(line: string, step: VerifiedStep | undefined): void {
  const [, hex] = /^Beacon generator: ([0-9a-f]+)$/.exec(line) ?? []
  if (step !== undefined && hex !== undefined) step.beacon = { hex, iterationsExp: 0 }
  const [, iterations] = /^Beacon iterations Exp: ([0-9]+)$/.exec(line) ?? []
  if (step?.beacon !== undefined && iterations !== undefined) {
    step.beacon.iterationsExp = Number(iterations)
  }
}

/** The four indented lines of a hash, joined without white space; empty if the statement contains no hash. */
function hashIn(statement: string): string {
  const [, lines] = /\n((?:\t\t[0-9a-f ]+\n?){4})$/.exec(statement) ?? []
  return (lines ?? '').replace(/\s/g, '')
}
