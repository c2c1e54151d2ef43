import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const EXECUTABLE = fileURLToPath(new URL('../bin/sotto-prover', import.meta.url))
/** Time after which the requests have certainly reached the native executable. It is shorter than a proof. */
const INTO_THE_PROOFS_MS = 50

interface Answer {
  readonly id?: string | null
  readonly ready?: boolean
  readonly ok?: boolean
  readonly code?: string
  readonly publicInputs?: string[]
}

const vectorsUrl = new URL('../../../vectors/circuit.json', import.meta.url)
const { cases } = JSON.parse(await readFile(vectorsUrl, 'utf8')) as {
  cases: { kind: string; input: Record<string, string | string[]>; publicInputs: string[] }[]
}
const [delivery] = cases as [(typeof cases)[0]]
const payment = cases.find(({ kind }) => kind === 'pay')!

/** Starts a prover with the native engine. */
async function start() {
  const child = spawn(EXECUTABLE, ['--engine', 'native'], { stdio: 'pipe' })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const next = async () => JSON.parse((await lines.next()).value as string) as Answer
  expect(await next()).toMatchObject({ ready: true })
  return {
    next,
    ask: (requests: { id: string; input: object }[]) =>
      child.stdin.write(requests.map((each) => `${JSON.stringify(each)}\n`).join('')),
    end: async () => {
      child.stdin.end()
      const code = await new Promise((resolve) => child.on('close', resolve))
      return { code, err }
    },
    /** The processes that the prover has started and that are running. */
    children: async () =>
      (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
        .split(' ')
        .filter(Boolean)
        .map(Number),
  }
}

test('answers a refused request only after the proof of the request before it', async () => {
  const prover = await start()
  prover.ask([
    { id: 'one', input: delivery.input },
    { id: 'false', input: { ...delivery.input, root: '1' } },
    { id: 'two', input: delivery.input },
    { id: 'payment', input: payment.input },
  ])
  expect(await prover.next()).toMatchObject({ id: 'one', publicInputs: delivery.publicInputs })
  expect(await prover.next()).toMatchObject({ id: 'false', code: 'STATEMENT_FALSE' })
  expect(await prover.next()).toMatchObject({ id: 'two', publicInputs: delivery.publicInputs })
  expect(await prover.next()).toMatchObject({ id: 'payment', publicInputs: payment.publicInputs })
  // If the executable answered in another order, the prover would report the witness program as faulty.
  expect(await prover.end()).toEqual({ code: 0, err: '' })
})

test.runIf(process.platform === 'linux')(
  'makes all proofs although the executable is killed during two of them',
  async () => {
    const prover = await start()
    const ids = ['one', 'two', 'three']
    prover.ask(ids.map((id) => ({ id, input: delivery.input })))
    const [executable, ...others] = await prover.children()
    expect(others).toEqual([])
    await sleep(INTO_THE_PROOFS_MS)
    process.kill(executable!, 'SIGKILL')
    for (const id of ids) {
      const publicInputs = delivery.publicInputs
      expect(await prover.next()).toMatchObject({ id, ok: true, publicInputs })
    }
    // Both proofs noticed that the executable had ended, but only one of them started a new executable.
    expect(await prover.children()).toHaveLength(1)
    // The prover still uses the witness program, and hasn't reported it as faulty.
    expect(await prover.end()).toEqual({ code: 0, err: '' })
  },
)
