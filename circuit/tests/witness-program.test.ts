import fc from 'fast-check'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wtns } from 'snarkjs'
import { derivePublicKey } from '../eddsa.ts'
import { ARTEFACTS, WITNESS_PROGRAM, readManifest } from '../manifest.ts'
import { FIELD } from '../r1cs.ts'
import {
  MAX_DEPOSIT_SECONDS,
  MAX_LIFE_SECONDS,
  TREE_LEVELS,
  makeSettleInput,
  toDecimals,
  type Claim,
  type SettleInput,
  type Settlement,
} from '../settle-input.ts'
import { CASES } from '../vector-cases.ts'
import { startProgram } from './run-program.ts'
import { signAs } from './sample-notes.ts'

const WASM = join(ARTEFACTS, 'settle.wasm')
/** Number of bytes before the values in a witness file whose field has 32 bytes. */
const HEADER = 76
const RUNS = 3

const file = await readFile(WITNESS_PROGRAM)
const end = file.indexOf('\n')
const { r1cs, inputs } = JSON.parse(file.toString('utf8', 0, end)) as {
  r1cs: string
  inputs: [keyof SettleInput, number][]
}

/** The witness that snarkjs computes with circom's generator; undefined if the input breaks a rule. */
async function reference(input: SettleInput): Promise<Uint8Array | undefined> {
  const made: { type: 'mem'; data?: Uint8Array } = { type: 'mem' }
  try {
    await wtns.calculate(toDecimals(input), WASM, made)
  } catch {
    return undefined
  }
  return made.data!.subarray(HEADER)
}

const values = (await reference(CASES[0]!.input))!.length / 32
const program = await startProgram(file.subarray(end + 1), values)
const run = (input: SettleInput) => program(inputs.flatMap(([name]) => input[name]))

/** Asserts that both generators give the same bytes, or that both refuse the input. Returns true in the first case. */
async function agree(input: SettleInput): Promise<boolean> {
  const expected = await reference(input)
  const witness = run(input)
  expect(witness === undefined).toBe(expected === undefined)
  expect(Buffer.compare(witness ?? Buffer.of(), expected ?? Buffer.of())).toBe(0)
  return expected !== undefined
}

const below = (limit: bigint) => fc.bigInt({ min: 0n, max: limit - 1n })
const halves = fc.record({ hi: below(2n ** 128n), lo: below(2n ** 128n) })

/** Draws any settlement that follows the rules. */
const settlements = fc
  .record({
    way: fc.constantFrom('deliver', 'refund', 'refund balance', 'pay'),
    key: fc.string({ minLength: 1 }),
    parts: fc.tuple(below(2n ** 62n), below(2n ** 62n), below(2n ** 62n)),
    deadline: below(2n ** 38n),
    life: below(MAX_LIFE_SECONDS + 1n),
    later: below(MAX_LIFE_SECONDS),
    numbers: fc.tuple(below(FIELD), below(FIELD), below(FIELD)),
    addresses: fc.tuple(halves, halves),
    leafIndex: below(4n ** BigInt(TREE_LEVELS)),
    path: fc.array(below(FIELD), { minLength: 3 * TREE_LEVELS, maxLength: 3 * TREE_LEVELS }),
  })
  .map(({ way, key, parts, deadline, life, later, numbers, addresses, leafIndex, path }) => {
    const [payout, fee, change] = parts
    const [assetHash, nk, changeNk] = numbers
    const [sender, other] = addresses
    const expiry = deadline + life
    const isBalance = way === 'pay' || way === 'refund balance'
    const claim: Claim = isBalance
      ? { kind: 'balance', owner: derivePublicKey(key) }
      : { kind: 'transfer', recipient: other, amountOut: payout }
    const note = { assetHash, value: payout + fee + change, deadline, expiry, nk, sender, claim }
    const changeDeadline = deadline + (later % (life + MAX_DEPOSIT_SECONDS + 1n))
    const paid = { payee: other, payout, fee, changeNk, changeDeadline }
    const payment = { ...paid, validUntil: expiry, sign: signAs(key) }
    const settlement: Settlement =
      way === 'pay'
        ? { kind: 'pay', time: expiry, ...payment }
        : way === 'deliver'
          ? { kind: 'deliver', time: expiry }
          : { kind: 'refund', time: expiry + 1n }
    return makeSettleInput(note, { leafIndex, path }, settlement)
  })

test('the program belongs to the constraints of the committed key', async () => {
  expect(r1cs).toBe((await readManifest(ARTEFACTS)).r1cs)
})

describe("the program gives the same witness as circom's generator", () => {
  test.each(CASES)('for the vector: $name', async ({ input }) => {
    expect(await agree(input)).toBe(true)
  })

  test('for any settlement', () =>
    fc.assert(
      fc.asyncProperty(settlements, async (input) => {
        expect(await agree(input)).toBe(true)
      }),
      { numRuns: RUNS },
    ))

  test('or refuses the same input', () =>
    fc.assert(
      fc.asyncProperty(
        settlements,
        fc.nat(),
        fc.oneof(below(3n), below(2n ** 64n), below(FIELD)),
        async (input, at, number) => {
          const names = inputs.flatMap(([name, count]) =>
            Array.from({ length: count }, (_, index) => [name, index] as const),
          )
          const [name, index] = names[at % names.length]!
          const value = input[name]
          const changed = Array.isArray(value) ? value.with(index, number) : number
          await agree({ ...input, [name]: changed })
        },
      ),
      { numRuns: RUNS },
    ))
})
