import { RequestPace, type PaceClock } from '@sotto/protocol'

/** Returns the pace of a node, by its URL. A node counts the requests of all its clients together. */
export type PaceOf = (url: string) => RequestPace

/** Creates one pace for each URL, which all clients of a process share. */
export function sharedPaces(clock: PaceClock): PaceOf {
  const paces = new Map<string, RequestPace>()
  return (url) => {
    const known = paces.get(url)
    if (known !== undefined) return known
    const pace = new RequestPace(clock)
    paces.set(url, pace)
    return pace
  }
}
