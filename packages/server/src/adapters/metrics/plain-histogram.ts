import type { Registry } from 'prom-client'

interface Series {
  readonly labels: Readonly<Record<string, string>>
  /** Of each bucket by itself, the one without an end included. */
  readonly counts: number[]
  sum: number
}

export interface HistogramOptions<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
  /** Upper ends in seconds, ascending. */
  readonly buckets: readonly number[]
}

/**
 * Counts durations in plain numbers and makes Prometheus' form of them when it is asked for: noting one
 * costs a look into a map and two additions, on the way of every request. What took longer than the last end
 * adds that end to the sum: of a stream that an order's end has ended, the sum would say when it began, and
 * so whose order that was.
 */
export class PlainHistogram<Label extends string> {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  readonly labelNames: readonly Label[]
  readonly #options: HistogramOptions<Label>
  readonly #series = new Map<string, Series>()

  constructor(options: HistogramOptions<Label>, registry: Registry) {
    this.name = options.name
    this.help = options.help
    this.labelNames = options.labelNames
    this.#options = options
    // The registry asks its metrics for these members and nothing else; its type knows its own classes only.
    registry.registerMetric(this as never)
  }

  /** Notes a duration; the values stand in the order of the label names, and are few in all. */
  observe(seconds: number, ...values: readonly string[]): void {
    const key = values.join('\n')
    let series = this.#series.get(key)
    if (series === undefined) {
      series = this.#newSeries(values)
      this.#series.set(key, series)
    }
    const { buckets } = this.#options
    let place = 0
    while (place < buckets.length && seconds > (buckets[place] as number)) place += 1
    series.counts[place] = (series.counts[place] ?? 0) + 1
    series.sum += Math.min(seconds, buckets.at(-1) ?? 0)
  }

  /** As the registry writes it. */
  async get(): Promise<object> {
    const { name, help, type } = this
    return { name, help, type, aggregator: 'sum', values: [...this.#values()] }
  }

  #newSeries(values: readonly string[]): Series {
    const { labelNames, buckets } = this.#options
    const labels = Object.fromEntries(
      labelNames.map((label, index) => [label, values[index] ?? '']),
    )
    return { labels, counts: Array<number>(buckets.length + 1).fill(0), sum: 0 }
  }

  *#values(): Iterable<object> {
    for (const { labels, counts, sum } of this.#series.values()) {
      let total = 0
      for (const [place, count] of counts.entries()) {
        total += count
        const le = this.#options.buckets[place] ?? '+Inf'
        yield { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: total }
      }
      yield { metricName: `${this.name}_sum`, labels, value: sum }
      yield { metricName: `${this.name}_count`, labels, value: total }
    }
  }
}
