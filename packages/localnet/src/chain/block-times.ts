/** Above this number of points, every second point of the older half is dropped. */
const MAX_POINTS = 400_000

interface Point {
  readonly slot: number
  readonly unixTime: number
}

/**
 * The time of every block, stored as points (slot, unix seconds). A jump (a restart or `localnet_advanceTime`) records
 * no points for the slots that it passes. Their time is interpolated, so the time never decreases as the slot
 * increases.
 */
export class BlockTimes {
  #points: Point[] = []

  /** Records the time of a block. Calls must be in ascending order of slots. */
  record(slot: number, unixTime: number): void {
    const last = this.#points.at(-1)
    if (last !== undefined && slot <= last.slot) return
    this.#points.push({ slot, unixTime })
    if (this.#points.length > MAX_POINTS) this.#thin()
  }

  /** Unix seconds of the block at this slot, or null outside the known range. */
  at(slot: number): number | null {
    const points = this.#points
    let low = 0
    let high = points.length - 1
    const first = points[0]
    const last = points[high]
    if (first === undefined || last === undefined) return null
    if (slot < first.slot || slot > last.slot) return null
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((points[middle]?.slot ?? 0) <= slot) low = middle
      else high = middle
    }
    return interpolate(points[low] ?? first, points[high] ?? last, slot)
  }

  /** The time at a slot. For a slot outside the known range, the time at the range's first or last slot. */
  near(slot: number): number {
    const first = this.#points[0]
    const last = this.#points.at(-1)
    if (first === undefined || last === undefined) throw new RangeError('no time is known yet')
    return this.at(Math.min(Math.max(slot, first.slot), last.slot)) ?? last.unixTime
  }

  /**
   * Drops every second point of the older half. If slots pass at a constant rate, a time that is interpolated between
   * the remaining points differs from the dropped point's time by at most a second.
   */
  #thin(): void {
    const half = this.#points.length >> 1
    this.#points = this.#points.filter((_, index) => index === 0 || index > half || index % 2 === 0)
  }
}

function interpolate(before: Point, after: Point, slot: number): number {
  if (slot >= after.slot) return after.unixTime
  const span = after.slot - before.slot
  const elapsed = after.unixTime - before.unixTime
  return before.unixTime + Math.floor((elapsed * (slot - before.slot)) / span)
}
