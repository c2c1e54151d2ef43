import type { TransferOptions, TransferState } from '../../wallet.ts'

/** The partner's process crashes here. Nothing runs after this point. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** The only data that survives a crash: the last saved state, as text. */
export interface Survivor {
  readonly read: () => TransferState
  readonly steps: TransferState['step'][]
  readonly save: (state: TransferState) => Promise<void>
}

export function openSurvivor(first: TransferState): Survivor {
  let text = JSON.stringify(first)
  const steps: TransferState['step'][] = []
  return {
    read: () => JSON.parse(text) as TransferState,
    steps,
    save: async (state) => {
      steps.push(state.step)
      text = JSON.stringify(state)
    },
  }
}

type Reached = Required<
  Pick<TransferOptions, 'save' | 'service' | 'rpc' | 'signer' | 'tickets' | 'approve'>
>

/**
 * Wraps everything that a transfer calls, so that the process crashes at the given point. There is a point before and
 * a point after each call. `count` is the number of points that the transfer has passed.
 */
export function endingAt(point: number, reached: Reached) {
  const passed = { count: 0, last: '' }
  const tick = (name: string) => {
    passed.count += 1
    passed.last = name
    if (passed.count === point) throw new Crash(name)
  }
  const around = <Args extends unknown[], Result>(
    name: string,
    call: (...args: Args) => Result | Promise<Result>,
  ) => {
    return async (...args: Args): Promise<Result> => {
      tick(`before ${name}`)
      const result = await call(...args)
      tick(`after ${name}`)
      return result
    }
  }
  const eachOf = <Target extends object>(name: string, target: Target): Target => {
    const members = Object.entries(target).map(([key, member]: [string, unknown]) => [
      key,
      typeof member === 'function'
        ? around(`${name}.${key}`, member.bind(target) as () => unknown)
        : member,
    ])
    return Object.fromEntries(members) as Target
  }
  const rpc = new Proxy(reached.rpc, {
    get: (object, key) => {
      const method = Reflect.get(object, key) as (...args: unknown[]) => { send: () => unknown }
      return (...args: unknown[]) => ({
        send: around(`rpc.${String(key)}`, () => method(...args).send()),
      })
    },
  })
  const options: Reached = {
    rpc,
    save: around('save', reached.save),
    approve: around('approve', reached.approve),
    service: eachOf('service', reached.service),
    tickets: eachOf('tickets', reached.tickets),
    signer: eachOf('signer', reached.signer),
  }
  return { passed, options }
}
