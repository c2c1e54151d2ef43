const text = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** Formats a result for a person: one line for each member, and one line for each entry of a list. */
export function printLines(result: object): string {
  return Object.entries(result)
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? [`${name}:`, ...value.map((entry) => `  ${text(entry)}`)]
        : [`${name}: ${text(value)}`],
    )
    .join('\n')
}
