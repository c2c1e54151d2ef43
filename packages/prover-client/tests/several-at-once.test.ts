import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ProverClient, type ProverEvent, startProver } from '../index.ts'
import { WITNESSES } from './recorded-witnesses.ts'

const [witness, second] = WITNESSES as [(typeof WITNESSES)[0], (typeof WITNESSES)[0]]

let client: ProverClient | undefined
let events: ProverEvent[] = []

beforeEach(() => {
  client = undefined
  events = []
})
afterEach(() => client?.stop())

/** Starts a small script in place of the real prover, because the test must control when each proof is answered. */
async function start(atOnce: string | number, script: string): Promise<ProverClient> {
  const whole = `
    console.log(JSON.stringify({ ready: true, development: true, vkeyHash: '', atOnce: ${atOnce} }))
    const refuse = (id) => console.log(JSON.stringify({ id, ok: false, code: 'INPUT_INVALID' }))
    const held = []
    const lines = require('node:readline').createInterface({ input: process.stdin })
    lines.on('line', (line) => { held.push(JSON.parse(line).id); ${script} })`
  client = await startProver({
    executable: process.execPath,
    args: ['-e', whole],
    processes: 1,
    queueMax: 10,
    onEvent: (event) => events.push(event),
  })
  return client
}

const codesOf = async (proofs: Promise<unknown>[]) =>
  (await Promise.allSettled(proofs)).map((one) =>
    one.status === 'rejected' ? (one.reason as { code: string }).code : undefined,
  )

test.each([1, 2])(
  'a prover that makes %s proofs at a time receives one more request in advance',
  async (atOnce) => {
    const answerAll = 'for (const id of held.splice(0)) refuse(id)'
    const prover = await start(atOnce, `if (held.length > ${atOnce}) ${answerAll}`)
    const count = 2 * (atOnce + 1)
    const proofs = Array.from({ length: count }, () => prover.prove(witness))
    expect(await codesOf(proofs)).toEqual(Array(count).fill('INPUT_INVALID'))
  },
)

test('proves two requests separately if the process ended while it proved both', async () => {
  // This prover exits if it gets a second request before it has answered the first.
  const prover = await start(
    2,
    'if (held.length > 1) process.exit(1); setTimeout(() => refuse(held.shift()), 100)',
  )
  const codes = await codesOf([prover.prove(witness), prover.prove(second)])
  expect(codes).toEqual(['INPUT_INVALID', 'INPUT_INVALID'])
  const exits = events.filter(({ kind }) => kind === 'exited')
  expect(exits).toMatchObject([{ code: 1, duringProof: true }])
})

test('counts no crash for a request that only waited in the process', async () => {
  // This prover exits whenever it gets the first request, even if it has other requests too.
  const prover = await start(
    2,
    "if (held[0] === '0') setTimeout(() => process.exit(1), 100); else refuse(held.shift())",
  )
  const codes = await codesOf([0, 1, 2, 3].map(() => prover.prove(witness)))
  expect(codes).toEqual(['PROVER_CRASHED', ...Array<string>(3).fill('INPUT_INVALID')])
})

test('finishes all proofs in progress when it stops', async () => {
  const answerAll = 'for (const id of held) refuse(id)'
  const prover = await start(2, `if (held.length === 1) lines.on('close', () => { ${answerAll} })`)
  const codes = codesOf([0, 1, 2].map(() => prover.prove(witness)))
  await prover.stop()
  expect(await codes).toEqual(['INPUT_INVALID', 'INPUT_INVALID', 'PROVER_STOPPED'])
})

test.each(['0', '-1', '1.5', "'2'", 'null'])(
  'a prover that announces %s proofs at a time is refused',
  async (atOnce) => {
    await expect(start(atOnce, '')).rejects.toMatchObject({ code: 'PROVER_START_FAILED' })
  },
)
