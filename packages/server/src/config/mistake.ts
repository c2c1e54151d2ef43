/** Thrown if one or more settings are wrong. The message lists all wrong settings. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** One mistake, and how to correct it. */
export interface Mistake {
  /** The setting's name without `SOTTO_`, or another text that helps the reader to find the mistake. */
  readonly name: string
  readonly problem: string
  readonly fix?: string | undefined
}

export const PREFIX = 'SOTTO_'

/** Throws if there are mistakes. @throws ConfigError that lists all mistakes. */
export function assertNone(mistakes: readonly Mistake[]): void {
  if (mistakes.length === 0) return
  const lines = mistakes.map(({ name, problem, fix }) =>
    fix === undefined
      ? `  - ${PREFIX}${name} ${problem}`
      : `  - ${PREFIX}${name} ${problem}; ${fix}`,
  )
  throw new ConfigError(`the configuration is wrong:\n${lines.join('\n')}`)
}
