import { drawFate, type PortKind } from './fate.ts'
import type { Life } from './life.ts'

const LATE_MS = 45_000

/**
 * A call through a port. The run's faults decide how it ends. Other events can happen between the call's
 * effect and its answer. A run makes many thousands of calls. This is a class, because a function would create several
 * closures for each call.
 */
class PortCall<T> {
  readonly #life: Life
  readonly #name: string
  readonly #resolve: (value: T) => void
  readonly #reject: (error: unknown) => void
  #isLast = false
  #latencyMs = 0

  constructor(
    life: Life,
    name: string,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.#life = life
    this.#name = name
    this.#resolve = resolve
    this.#reject = reject
  }

  begin(kind: PortKind, effect: () => Promise<T>): void {
    const life = this.#life
    const { timeline, faults, random } = life.world
    if (!life.isAlive) return
    const who = `${life.name} ${this.#name}`
    if (faults.fires('crash_before_call', who)) return life.kill()
    this.#isLast = faults.fires('crash_after_call', who)
    const fate = drawFate(life, kind, this.#name, who)
    this.#latencyMs = fate.latencyMs
    // The caller doesn't wait for a late effect, and learns nothing if the effect fails.
    if (fate.effect === 'late') {
      timeline.after(random.between(500, LATE_MS), () => void effect().catch(() => undefined))
    }
    timeline.after(fate.latencyMs, () => {
      if (fate.effect !== 'now') return this.#fail(kind)
      life.note(this.#name)
      effect().then(
        (value) => {
          if (fate.answer === 'error') this.#fail(kind)
          else this.#answer(() => this.#resolve(value))
        },
        (error: unknown) => this.#answer(() => this.#reject(error)),
      )
    })
  }

  #fail(kind: PortKind): void {
    this.#answer(() => this.#reject(new Error(`${kind} failed: ${this.#name}`)))
  }

  /** Most answers arrive immediately. Some arrive later, when the state of the world may have changed. */
  #answer(settle: () => void): void {
    const { random, timeline } = this.#life.world
    if (random.chance(0.7)) this.#end(settle)
    else timeline.after(1 + random.below(this.#latencyMs), () => this.#end(settle))
  }

  #end(settle: () => void): void {
    if (!this.#life.isAlive) return
    if (this.#isLast) return this.#life.kill()
    settle()
  }
}

type Method = (...parameters: unknown[]) => Promise<unknown>
type Methods = Readonly<Record<string, Method>>

interface FaultyPort {
  readonly life: Life
  readonly port: Methods
}

/**
 * Prototypes of ports by kind, name and methods. They are cached because a run starts dozens of processes, and each
 * process has the same ports.
 */
const shapes = new Map<string, object>()

/** Wraps a port so that the run's faults affect each of its methods. */
export function throughFaults<Port extends object>(
  life: Life,
  kind: PortKind,
  name: string,
  port: Port,
): Port {
  const methods = Object.keys(port)
  const key = `${kind} ${name} ${methods.join(' ')}`
  const shape = shapes.get(key) ?? shapeOf(kind, name, methods)
  shapes.set(key, shape)
  return Object.assign(Object.create(shape) as object, { life, port }) as unknown as Port
}

function shapeOf(kind: PortKind, name: string, methods: readonly string[]): object {
  const shape: Record<string, unknown> = {}
  for (const method of methods) {
    const path = `${name}.${method}`
    shape[method] = function (this: FaultyPort, ...parameters: unknown[]) {
      return new Promise<unknown>((resolve, reject) => {
        const call = () => (this.port[method] as Method)(...parameters)
        new PortCall(this.life, path, resolve, reject).begin(kind, call)
      })
    }
  }
  return shape
}
