import type { IncomingMessage } from 'node:http'

/** Milliseconds from a request to the headers of its answer. */
export interface Latency {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The requests and answers that passed through the balancer. */
export class Tally {
  readonly #statuses = new Map<string, number>()
  readonly #replicas = new Map<string, number>()
  readonly #times: number[] = []
  /** Answers that no client should get, and requests without a complete answer. */
  readonly wrong: string[] = []

  answered(replica: string, status: number, ms: number): void {
    this.#times.push(ms)
    const kind = status >= 500 ? String(status) : `${Math.floor(status / 100)}xx`
    count(this.#statuses, kind)
    count(this.#replicas, replica)
    if (status >= 500) this.wrong.push(`${replica} answered ${status}`)
  }

  /** Records a request without an answer. */
  broken(replica: string, { method, url }: IncomingMessage, error: unknown): void {
    count(this.#statuses, '502')
    this.wrong.push(`${replica} did not answer ${method} ${url}: ${String(error)}`)
  }

  /** Records a request that the client aborted. In the drills, clients abort requests only after a timeout. */
  left(replica: string, { method, url }: IncomingMessage): void {
    this.wrong.push(`a client gave up waiting for ${replica} to answer ${method} ${url}`)
  }

  /** Records an answer that was cut off. */
  cut(replica: string, { method, url }: IncomingMessage, error: unknown): void {
    this.wrong.push(`${replica} broke off its answer to ${method} ${url}: ${String(error)}`)
  }

  get statuses(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#statuses].sort())
  }

  get replicas(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#replicas].sort())
  }

  get latency(): Latency {
    const sorted = [...this.#times].sort((left, right) => left - right)
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
    return { p50: at(0.5), p99: at(0.99), max: at(1) }
  }
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)
