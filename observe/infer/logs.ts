/** The logarithms of two shares that add up to 1, computed from two counts. */
export function logsOf([yes, no]: readonly [number, number]): readonly [number, number] {
  const share = yes / (yes + no)
  return [Math.log(share), Math.log(1 - share)]
}

/** Given the logarithms of two numbers, returns the logarithm of their sum. */
export function addLogs(left: number, right: number): number {
  const most = Math.max(left, right)
  // The smaller number is less than the rounding error of the larger number.
  if (Math.abs(left - right) > LOGS_APART) return most
  return most + Math.log(Math.exp(left - most) + Math.exp(right - most))
}

const LOGS_APART = 40

/**
 * Given the logarithms of weights, returns these weights, scaled, and the logarithm of their sum before the scaling.
 */
export function weightsOf(logs: readonly number[]): {
  readonly weights: number[]
  readonly log: number
} {
  const most = logs.reduce((left, right) => Math.max(left, right), -Infinity)
  const weights = logs.map((log) => Math.exp(log - most))
  return { weights, log: most + Math.log(weights.reduce((sum, weight) => sum + weight, 0)) }
}

/**
 * Draws a position, with a chance in proportion to its weight. If rounding errors leave no position, returns the last.
 */
export function drawPlace(weights: readonly number[], fraction: () => number): number {
  let left = fraction() * weights.reduce((sum, weight) => sum + weight, 0)
  const place = weights.findIndex((weight) => (left -= weight) < 0)
  return place < 0 ? weights.length - 1 : place
}
