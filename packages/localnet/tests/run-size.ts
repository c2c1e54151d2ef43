/**
 * The size of a long test: small by default, larger if the environment variable is set. The full CI sets these
 * variables.
 */
export function runSize(variable: `SOTTO_LOCALNET_${string}`, usual: number): number {
  const given = process.env[variable]
  if (given === undefined || given === '') return usual
  if (!/^[1-9][0-9]{0,6}$/.test(given)) throw new Error(`${variable} must be a count`)
  return Number.parseInt(given, 10)
}
