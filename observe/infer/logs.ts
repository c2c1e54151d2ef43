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
