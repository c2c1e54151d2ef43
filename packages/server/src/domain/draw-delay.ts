/** A source of random integers in [0, bound), all equally likely. */
interface Random {
  readonly below: (bound: number) => number
}

/**
 * Returns true with a probability of exactly e^-(part / whole), for 0 <= part <= whole. Draws only integers, by
 * algorithm 1 of Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020).
 */
function hitsExponential(random: Random, part: number, whole: number): boolean {
  let round = 1
  while (random.below(whole * round) < part) round += 1
  return round % 2 === 1
}

/**
 * Draws a delay from 0 to `widthMs`, in whole milliseconds. The probability of x is proportional to e^(-x / meanMs). So
 * the chance of a delivery in the next second doesn't depend on the delay so far. Therefore an observer can't exclude a
 * deposit because of its age. `widthMs` cuts off the longest delays, which makes the mean shorter than `meanMs`. For
 * any width, only a few numbers are drawn on average.
 *
 * @throws RangeError for a mean below 1.
 */
export function drawDelayMs(random: Random, widthMs: number, meanMs: number): number {
  if (meanMs < 1) throw new RangeError('the mean of a delay must be at least a millisecond')
  if (widthMs <= 0) return 0
  const span = Math.min(meanMs, widthMs + 1)
  for (;;) {
    const delayMs = countSpans(random, span, meanMs) + random.below(span)
    if (delayMs <= widthMs && hitsExponential(random, delayMs % meanMs, meanMs)) return delayMs
  }
}

/**
 * Draws the part of a delay that is a whole multiple of the mean, in milliseconds. This part is 0 if the width is
 * shorter than the mean.
 */
function countSpans(random: Random, span: number, meanMs: number): number {
  let passed = 0
  while (span === meanMs && hitsExponential(random, 1, 1)) passed += meanMs
  return passed
}
