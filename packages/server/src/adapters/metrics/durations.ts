import { Histogram, type Registry } from 'prom-client'

/**
 * A histogram of durations in seconds, `ends` being its buckets' upper ends, ascending. A duration beyond the last end
 * adds no more than that end to the sum: of a stream that an order's end has ended, the sum would reveal
 * when it began, and so whose order that was.
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
  // The next number above the last end, so that it counts as beyond it.
  const most = (ends.at(-1) ?? 0) * (1 + Number.EPSILON)
  return (seconds, labels) => made.observe(labels as never, Math.min(seconds, most))
}
