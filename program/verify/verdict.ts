import type { Toolchain } from './builders.ts'
import type { RecordedBuild } from './recorded-builds.ts'

/**
 * The exit code of a verification: 0 for the same bytes, 1 for another hash, 2 if the builds can't be compared, 3 for a
 * failed build, 64 (EX_USAGE) for a wrong command line. Only exit code 1 means that the committed program may be wrong.
 */
export interface Verdict {
  readonly code: 0 | 1 | 2 | 3 | 64
  readonly text: string
}

/** The differences between the installed and the recorded toolchain, one per line. */
export function toolchainDifferences(recorded: Toolchain, here: Toolchain): string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(here)])]
  return names
    .filter((name) => recorded[name] !== here[name])
    .map((name) => `${name}: recorded ${recorded[name] ?? 'none'}, here ${here[name] ?? 'none'}`)
}

/**
 * The verdict if the toolchain differs; undefined if it doesn't. With other versions, the same sources may give other
 * bytes. So a comparison would prove nothing.
 */
export function toolchainVerdict(recorded: Toolchain, here: Toolchain): Verdict | undefined {
  const differences = toolchainDifferences(recorded, here)
  if (differences.length === 0) return undefined
  return { code: 2, text: `The toolchain differs.\n  ${differences.join('\n  ')}` }
}

/**
 * Compares the build with the builder's record. If the same builder made the committed program, also compares the build
 * with the program itself.
 */
export function hashVerdict(
  recorded: RecordedBuild,
  built: string,
  committed: string | undefined,
): Verdict {
  const hashes = [
    ['recorded', recorded.sha256],
    ...(committed === undefined ? [] : [['committed', committed]]),
    ['rebuilt', built],
  ] as const
  const shown = hashes.map(([name, hash]) => `  ${name?.padEnd(9) ?? ''} ${hash ?? ''}`).join('\n')
  const isSame = hashes.every(([, hash]) => hash === built)
  return isSame
    ? { code: 0, text: `The sources give the program.\n${shown}` }
    : { code: 1, text: `The hash differs.\n${shown}` }
}
