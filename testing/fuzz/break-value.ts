import fc, { type Arbitrary } from 'fast-check'

type Path = readonly (string | number)[]

/** Texts that have caused bugs in other programs. */
const TEXTS = [
  '', ' ', '0', '00', '-1', '1.5', '1e3', '0x10', ' 1', '1 ', '+1', '١٢', '18446744073709551616',
  '99999999999999999999', 'null', 'true', '\u0000', 'a\u0000b', '\ud800', '\u202e1', 'é'.normalize('NFD'),
  '𝟙', '{}', '[]', '__proto__', '../../x', '%00', "' OR 1=1 --", '${7*7}', '<script>', 'x'.repeat(65),
  'q_', 'tr_', 'x'.repeat(5_000),
] // oxfmt-ignore

const oddText = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const oddNumber = fc.oneof(
  fc.constantFrom(-1, -0, 0.5, 2 ** 53, 1e300, 4_294_967_296, 10_001),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
/** A value of any type. */
export const odd: Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
)
const oddName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'memo', 'Amount'),
  fc.string({ maxLength: 12 }),
)

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...path, name]))
  return path.length === 0 ? inside : [path, ...inside]
}

/** A copy in which the member at a path has another value. If `to` is undefined, the copy lacks the member. */
function changed(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to
  const members = new Map(Object.entries(value ?? {}))
  const inside = changed(members.get(String(name)), rest, to)
  if (inside === undefined) members.delete(String(name))
  else members.set(String(name), inside)
  return Array.isArray(value) ? [...members.values()] : fromEntries(members)
}

/** Makes an object in which `__proto__` is a member like any other. */
function fromEntries(members: ReadonlyMap<string, unknown>): object {
  const made = {}
  for (const [name, value] of members) {
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true })
  }
  return made
}

/** The text with one character added, removed or replaced. */
function slipped(text: string): Arbitrary<string> {
  return fc
    .tuple(fc.nat(text.length), fc.constantFrom('', 'x', '0', ' ', 'É', '\u0000'))
    .map(([at, by]) => text.slice(0, at) + by + text.slice(at + 1))
}

/**
 * Adds a member with the name `__proto__` next to an existing member. Some parsers drop such a member, or use its value
 * as the object's prototype.
 */
function withPrototype(value: unknown, paths: readonly Path[]): Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...paths), odd)
    .map(([path, to]) => changed(value, [...path.slice(0, -1), '__proto__'], to ?? null))
}

/** The value with one error: a member is removed, changed, renamed, added or gets another type. */
export function brokenValue(value: object): Arbitrary<unknown> {
  const paths = pathsOf(value)
  if (paths.length === 0) return oddName.map((name) => fromEntries(new Map([[name, 1]])))
  const somewhere = fc.constantFrom(...paths)
  return fc.oneof(
    { weight: 2, arbitrary: somewhere.map((path) => changed(value, path, undefined)) },
    {
      weight: 5,
      arbitrary: fc.tuple(somewhere, odd).map(([path, to]) => changed(value, path, to)),
    },
    { weight: 3, arbitrary: somewhere.chain((path) => slip(value, path)) },
    { weight: 1, arbitrary: withPrototype(value, paths) },
    {
      weight: 2,
      arbitrary: fc.tuple(somewhere, oddName, odd).map(([path, name, to]) => {
        return changed(value, [...path.slice(0, -1), name], to ?? null)
      }),
    },
  )
}

function slip(value: unknown, path: Path): Arbitrary<unknown> {
  const found = path.reduce<unknown>((inside, name) => (inside as never)[name], value)
  if (typeof found === 'string') return slipped(found).map((to) => changed(value, path, to))
  if (typeof found === 'number') return oddNumber.map((to) => changed(value, path, to))
  return odd.map((to) => changed(value, path, to))
}
