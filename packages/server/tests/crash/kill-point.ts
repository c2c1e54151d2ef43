/** The point at which a worker is killed: directly before it calls a port, or directly after the port's answer. */
export interface KillPoint {
  readonly port: 'chain' | 'store' | 'secrets' | 'prover' | 'orders'
  readonly method: string
  readonly when: 'before' | 'after'
}

export const nameOf = ({ when, port, method }: KillPoint): string => `${when} ${port}.${method}`

type Calls = Record<string, (...args: never[]) => unknown>

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise

/**
 * Wraps a port so that every call is reported before it is made. Asynchronous calls are also reported after their
 * answers. The end of a synchronous call isn't reported, because killing a worker after such a call has the same effect
 * as killing it before its next call.
 */
export function withPoints<Port extends object>(
  name: KillPoint['port'],
  port: Port,
  reached: (point: KillPoint) => void,
): Port {
  const wrapped = Object.entries(port as Calls).map(([method, call]) => {
    if (typeof call !== 'function') return [method, call]
    const watched = (...args: never[]) => {
      reached({ port: name, method, when: 'before' })
      const result = call(...args)
      if (!isPromise(result)) return result
      return result.then((value) => {
        reached({ port: name, method, when: 'after' })
        return value
      })
    }
    return [method, watched]
  })
  return Object.fromEntries(wrapped) as Port
}
