/**
 * The time of every block, stored as known points (slot, unix seconds). Slots inside a jump (a restart or
 * `localnet_advanceTime`) were never produced one by one. Their time is interpolated, so that time never decreases with
 * the slot.
 */
const MAX_POINTS = 400_000

interface Point {
  readonly slot: number
  readonly unixTime: number
}

export class BlockTimes {
  #points: Point[] = []

  /** Records the time of a block; slots arrive in ascending order. */
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

  /** The time at a slot; outside of the known range, the time at its first or last slot. */
  near(slot: number): number {
    const first = this.#points[0]
    const last = this.#points.at(-1)
    if (first === undefined || last === undefined) throw new RangeError('no time is known yet')
    return this.at(Math.min(Math.max(slot, first.slot), last.slot)) ?? last.unixTime
  }

  /** Drops every second point of the older half. Interpolation over the rest is still exact to the second. */
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
