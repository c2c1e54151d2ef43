import { parseWhole } from '../parse-whole.ts'

/** The number in `{ InstructionError: [index, { Custom: number }] }`; undefined for any other error. */
export function customCodeOf(reason: unknown): number | undefined {
  const code = /"Custom":"?([0-9]+)/.exec(errorText(reason))?.[1]
  return code === undefined ? undefined : parseWhole(code)
}

/** A node's error as JSON text. */
export const errorText = (reason: unknown): string =>
  JSON.stringify(reason, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
