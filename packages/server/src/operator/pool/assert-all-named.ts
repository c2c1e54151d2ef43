import { OperatorError } from '../../start/operator-error.ts'

/** A member of an instruction: its option, the option's value, and the present value as the option's text. */
type Member = readonly [option: string, given: unknown, present: string]

/** The text of an option that switches something on or off. */
export const switchText = (isOn: boolean): string => (isOn ? 'on' : 'off')

/**
 * Checks that the options of a command name every member of its instruction. The program writes all members together,
 * and a transaction that others sign may land days later. A member that the command had read from the chain would then
 * undo a change that was made since, for example a pause.
 *
 * @throws OperatorError that names the missing options with their present values.
 */
export function assertAllNamed(members: readonly Member[]): void {
  const missing = members.filter(([, given]) => given === undefined)
  if (missing.length === 0) return
  const options = missing.map(([option, , present]) => `${option} ${present}`).join(' ')
  throw new OperatorError(
    'with --unsigned, name every setting that the transaction writes, because it may land after another change. ' +
      `Not named, with the present values: ${options}`,
  )
}
