/** An event and its virtual time. */
export interface QueuedEvent {
  readonly atMs: number
  /** Position in the queue: events with the same time run in the order in which they were queued. */
  readonly order: number
  readonly run: () => void
  /** True if no promise waits for this event. */
  readonly isAlone: boolean
}

const isBefore = (left: QueuedEvent, right: QueuedEvent): boolean =>
  left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order)

/** A binary heap of events, ordered by time. */
export class EventQueue {
  readonly #heap: QueuedEvent[] = []

  get next(): QueuedEvent | undefined {
    return this.#heap[0]
  }

  push(event: QueuedEvent): void {
    const heap = this.#heap
    let at = heap.push(event) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, heap[parent] as QueuedEvent)) break
      heap[at] = heap[parent] as QueuedEvent
      at = parent
    }
    heap[at] = event
  }

  pop(): QueuedEvent | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first !== undefined && last !== undefined && heap.length > 0) this.#sink(last)
    return first
  }

  #sink(event: QueuedEvent): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      const right = heap[child + 1]
      if (right !== undefined && isBefore(right, heap[child] as QueuedEvent)) child += 1
      if (!isBefore(heap[child] as QueuedEvent, event)) break
      heap[at] = heap[child] as QueuedEvent
      at = child
    }
    heap[at] = event
  }
}
