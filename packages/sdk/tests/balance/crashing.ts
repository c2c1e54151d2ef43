import type { BalanceOptions } from '../../balance.ts'

/** The owner's process crashes here. Nothing runs after this point. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

type Reached = Pick<BalanceOptions, 'store' | 'service' | 'rpc'>

/**
 * Wraps `options` so that the process crashes at the given point. There is a point before and a point after each call
 * to the outside.
 */
export function crashingAt<Options extends Reached>(point: number, options: Options) {
  const { passed, surround } = crashAt(point)
  return { passed, options: surround(options) }
}

/**
 * The same as `crashingAt`, for a process that uses several balances. `isCounted` decides which calls count as points.
 * After the crash, all calls fail.
 */
export function crashAt(point: number, isCounted: (name: string) => boolean = () => true) {
  const passed = { count: 0, last: '' }
  const tick = (name: string) => {
    if (isCounted(name)) {
      passed.count += 1
      passed.last = name
    }
    if (passed.count >= point) throw new Crash(name)
  }
  const around = (name: string, call: (...args: unknown[]) => unknown) => {
    return async (...args: unknown[]): Promise<unknown> => {
      tick(`before ${name}`)
      const result = await call(...args)
      tick(`after ${name}`)
      return result
    }
  }
  const eachOf = <Target extends object>(name: string, target: Target): Target => {
    const members = Object.entries(target).map(([key, member]: [string, unknown]) => [
      key,
      around(`${name}.${key}`, member as () => unknown),
    ])
    return Object.fromEntries(members) as Target
  }
  const rpcAround = (rpc: Reached['rpc']) =>
    new Proxy(rpc, {
      get: (object, key) => {
        const method = Reflect.get(object, key) as
          | ((...args: unknown[]) => { send: () => unknown })
          | undefined
        // The node must have no member `then`, because `await` would call it.
        if (method === undefined) return undefined
        return (...args: unknown[]) => ({
          send: around(`rpc.${String(key)}`, () => method(...args).send()),
        })
      },
    })
  const surround = <Options extends Reached>(options: Options) => ({
    ...options,
    rpc: rpcAround(options.rpc),
    store: eachOf('store', options.store),
    service: eachOf('service', options.service),
  })
  return { passed, surround }
}
