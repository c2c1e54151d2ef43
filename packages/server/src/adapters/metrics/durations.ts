import { Histogram, type Registry } from 'prom-client'

/**
 * A histogram of durations in seconds. `ends` are the upper bounds of its buckets, ascending. If a duration exceeds the
 * last bound, only the last bound is added to the sum. A stream ends when its order ends. If the sum contained the
 * stream's whole duration, the sum would reveal when the stream began, and thus whose order has ended.
 */
export function durations<Label extends string>(
  {
    ends,
    ...of
  }: {
    readonly name: string
    readonly help: string
    readonly labelNames: Label[]
    readonly ends: readonly number[]
  },
  registry: Registry,
): (seconds: number, labels: Record<Label, string>) => void {
  const made = new Histogram({ ...of, buckets: [...ends], registers: [registry] })
  // The next number above the last bound. A longer duration is cut to this number, so it still counts as above the
  // bound.
  const most = (ends.at(-1) ?? 0) * (1 + Number.EPSILON)
  return (seconds, labels) => made.observe(labels as never, Math.min(seconds, most))
}
