/**
 * The size of a long test. It is small by default, and the environment variable can set a larger size. The full CI sets
 * these variables.
 */
export function runSize(variable: `SOTTO_LOCALNET_${string}`, usual: number): number {
  const given = process.env[variable]
  if (given === undefined || given === '') return usual
  if (!/^[1-9][0-9]{0,6}$/.test(given)) throw new Error(`${variable} must be a count`)
  return Number.parseInt(given, 10)
}
