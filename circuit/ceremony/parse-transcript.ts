import type { Transcript } from './transcript.ts'

type Check = (value: unknown) => boolean

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const hex = (...bytes: number[]) =>
  matches(new RegExp(`^(${bytes.map((count) => `[0-9a-f]{${count * 2}}`).join('|')})$`))
const within =
  (least: number, most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
const is =
  (...allowed: unknown[]): Check =>
  (value) =>
    allowed.includes(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

/** A check for an object with exactly these members. */
const object =
  (members: Record<string, Check>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, check]) => check((value as never)[name]))

const file = matches(/^phase[12]\/([0-9]{4}|prepared)\.(ptau|zkey)$/)

/** Names are restricted, because this program writes them into binary files, terminals and documents. */
export const isName: Check = matches(/^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,62}$/)

/** The largest power: BN254 has no roots of unity of an order above 2^28. */
export const MOST_POWER = 28

/** True for a power from 3 to `MOST_POWER`. A circuit of fewer than 2^3 rows needs no ceremony. */
export const isPower: Check = within(3, MOST_POWER)

const step = { phase: is(1, 2), file, sha256: hex(32), hash: hex(64) }
const source: Check = (value) =>
  [
    object({ kind: is('drand'), round: within(1, 2 ** 40), signature: hex(48) }),
    object({ kind: is('bitcoin'), height: within(1, 2 ** 31), header: hex(80) }),
    object({ kind: is('private'), hex: hex(32) }),
  ].some((check) => check(value))

const entries: Record<string, Check> = {
  start: object({
    kind: is('start'),
    power: isPower,
    file,
    sha256: hex(32),
    published: optional(
      object({
        source: matches(/^[\x20-\x7e]{1,500}$/),
        hash: hex(32, 64),
        contributions: within(1, 10_000),
        endsInBeacon: is(true, false),
      }),
    ),
  }),
  contribution: object({
    kind: is('contribution'),
    ...step,
    name: isName,
    publicKey: hex(32),
    at: matches(/^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z$/),
    signature: hex(64),
  }),
  beacon: object({ kind: is('beacon'), ...step, source }),
  prepared: object({
    kind: is('prepared'),
    file,
    sha256: hex(32),
    keyFile: file,
    keySha256: hex(32),
  }),
}

const head = object({
  format: is(1),
  circuit: object({ name: isName, r1cs: hex(32) }),
  entries: Array.isArray,
})

/** Reads a transcript's text. @throws Error that names the first malformed entry. */
export function parseTranscript(text: string): Transcript {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error('The transcript is not JSON.', { cause })
  }
  if (!head(value)) throw new Error('The transcript has no header that this program knows.')
  const transcript = value as Transcript
  transcript.entries.forEach((entry, at) => {
    const kind = (entry as { kind?: unknown } | null)?.kind
    const check =
      typeof kind === 'string' && Object.hasOwn(entries, kind) ? entries[kind] : undefined
    if (check?.(entry) !== true) throw new Error(`Entry ${at} of the transcript is malformed.`)
  })
  return transcript
}
