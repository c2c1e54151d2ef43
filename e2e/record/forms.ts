/** The form of all answers to one kind of request. */
export interface Form {
  readonly answers: number
  /**
   * For each path in the answer: the types of the values at that path. All elements of an array share one path: the
   * array's path followed by `[]`. If some objects lack a member, the member also has the type `absent`.
   */
  readonly places: Readonly<Record<string, readonly string[]>>
  /** The errors in the answers. Each is a code and a text without numbers and addresses. */
  readonly errors: readonly string[]
}

/** The forms of a run, by kind of request. */
export type Forms = Readonly<Record<string, Form>>

export interface RpcError {
  readonly code: number
  readonly message: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Collects the form of the answers to one kind of request. */
export class FormCollector {
  #answers = 0
  readonly #errors = new Set<string>()
  /** For each path and type: how often a value at that path had that type. */
  readonly #counts = new Map<string, Map<string, number>>()

  add(result: unknown): void {
    this.#answers += 1
    this.#visit('', result)
  }

  addError({ code, message }: RpcError): void {
    this.#answers += 1
    this.#errors.add(`${code} ${message.replace(/[1-9A-HJ-NP-Za-km-z]{32,}|\d+/g, '…')}`)
  }

  #visit(path: string, value: unknown): void {
    const types = this.#counts.get(path) ?? new Map<string, number>()
    this.#counts.set(path, types)
    types.set(typeOf(value), (types.get(typeOf(value)) ?? 0) + 1)
    if (Array.isArray(value)) for (const element of value) this.#visit(`${path}[]`, element)
    if (!isObject(value)) return
    for (const [name, member] of Object.entries(value)) this.#visit(`${path}.${name}`, member)
  }

  #typesAt(path: string, types: ReadonlyMap<string, number>): string[] {
    const owner = path.endsWith('[]') ? undefined : path.slice(0, path.lastIndexOf('.'))
    const objects = owner === undefined ? 0 : (this.#counts.get(owner)?.get('object') ?? 0)
    const times = [...types.values()].reduce((sum, one) => sum + one, 0)
    return [...types.keys(), ...(path !== '' && times < objects ? ['absent'] : [])].sort()
  }

  get form(): Form {
    const places = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      answers: this.#answers,
      places: Object.fromEntries(
        places.map(([path, types]) => [path, this.#typesAt(path, types)] as const),
      ),
      errors: [...this.#errors].sort(),
    }
  }
}

const shown = (types: readonly string[] | undefined): string => types?.join(' or ') ?? 'nothing'

/**
 * True if the path is below one of the other paths. The report leaves out such paths, because they would only repeat a
 * difference.
 */
const isBelow = (path: string, others: readonly string[]): boolean =>
  others.some((other) => path.startsWith(`${other}.`) || path.startsWith(`${other}[`))

function differingForm(kind: string, first: Form, second: Form): string[] {
  const paths = [...new Set([...Object.keys(first.places), ...Object.keys(second.places)])].sort()
  const alone: string[] = []
  const lines: string[] = []
  for (const path of paths) {
    const [one, other] = [first.places[path], second.places[path]]
    if (shown(one) === shown(other) || isBelow(path, alone)) continue
    if (one === undefined || other === undefined) alone.push(path)
    lines.push(
      `${kind}: result${path} is ${shown(one)} in the first run, and ${shown(other)} in the second`,
    )
  }
  const only = (of: Form, than: Form) => of.errors.filter((error) => !than.errors.includes(error))
  for (const error of only(first, second))
    lines.push(`${kind}: only the first run got the error ${error}`)
  for (const error of only(second, first)) {
    lines.push(`${kind}: only the second run got the error ${error}`)
  }
  return lines
}

/**
 * Lists the differences between two runs, one line each. A kind of request that only one run made is also a
 * difference.
 */
export function differingForms(first: Forms, second: Forms): string[] {
  const kinds = [...new Set([...Object.keys(first), ...Object.keys(second)])].sort()
  return kinds.flatMap((kind) => {
    const [one, other] = [first[kind], second[kind]]
    if (one === undefined) return [`${kind}: requested only in the second run`]
    if (other === undefined) return [`${kind}: requested only in the first run`]
    return differingForm(kind, one, other)
  })
}
