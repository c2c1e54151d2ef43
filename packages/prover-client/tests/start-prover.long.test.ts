import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { amount } from '@sotto/protocol'
import { type ProverClient, type ProverEvent, type ProverOptions, startProver } from '../index.ts'
import { EXECUTABLE, PUBLIC_INPUTS, VKEY_HASH, WITNESSES } from './recorded-witnesses.ts'

const [witness, second] = WITNESSES as [(typeof WITNESSES)[0], (typeof WITNESSES)[0]]

let client: ProverClient | undefined
let events: ProverEvent[] = []
let onNext: ((event: ProverEvent) => void) | undefined

beforeEach(() => {
  client = undefined
  events = []
})
afterEach(() => client?.stop())

async function start(options: Partial<ProverOptions> = {}): Promise<ProverClient> {
  const onEvent = (event: ProverEvent) => {
    events.push(event)
    onNext?.(event)
  }
  client = await startProver({
    executable: EXECUTABLE,
    processes: 1,
    queueMax: 10,
    onEvent,
    ...options,
  })
  return client
}

/** Arguments for the real prover. With this engine, it makes one proof at a time on every machine. */
const ONE_AT_A_TIME = { args: ['--engine', 'wasm'] }

const pids = () => events.flatMap((event) => (event.kind === 'started' ? [event.pid] : []))
const exits = () => events.filter((event) => event.kind === 'exited')

/** Resolves with the next event of this kind. */
const next = (kind: ProverEvent['kind']) =>
  new Promise<ProverEvent>((resolve) => {
    onNext = (event) => event.kind === kind && resolve(event)
  })

/** Waits until the request has reached the process. The wait is much shorter than a proof. */
const intoTheProof = () => new Promise((resolve) => setTimeout(resolve, 200))

describe('proving', () => {
  test('gives a proof of exactly the witness', async () => {
    const prover = await start()
    expect([prover.development, prover.vkeyHash]).toEqual([true, VKEY_HASH])
    const proof = await prover.prove(witness)
    expect(proof.bytes).toHaveLength(256)
    expect(proof.publicInputs).toEqual(PUBLIC_INPUTS[0])
  })

  test('uses every process, and answers each request once', async () => {
    const prover = await start({ processes: 2 })
    expect(new Set(pids()).size).toBe(2)
    const proofs = Promise.all(WITNESSES.map((each) => prover.prove(each)))
    expect(prover.pending()).toBe(WITNESSES.length)
    expect((await proofs).map((proof) => proof.publicInputs)).toEqual(PUBLIC_INPUTS)
    expect(prover.pending()).toBe(0)
  })

  test('refuses a false statement and a number outside the field, and goes on', async () => {
    const prover = await start()
    const wrong = prover.prove({ ...witness, payout: amount(witness.payout + 1n) })
    await expect(wrong).rejects.toMatchObject({ code: 'STATEMENT_FALSE' })
    const negative = prover.prove({ ...witness, nk: -1n })
    await expect(negative).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    expect((await prover.prove(witness)).bytes).toHaveLength(256)
    expect(exits()).toEqual([])
  })
})

describe('back-pressure', () => {
  test('refuses requests that exceed the queue, and proves every accepted request', async () => {
    const prover = await start({ ...ONE_AT_A_TIME, queueMax: 1 })
    const running = prover.prove(witness)
    const queued = prover.prove(second)
    await expect(prover.prove(witness)).rejects.toMatchObject({ code: 'PROVER_BUSY' })
    expect(prover.pending()).toBe(2)
    expect((await running).publicInputs).toEqual(PUBLIC_INPUTS[0])
    expect((await queued).publicInputs).toEqual(PUBLIC_INPUTS[1])
  })

  test('accepts requests again as soon as the queue has room', async () => {
    const prover = await start({ ...ONE_AT_A_TIME, queueMax: 0 })
    const running = prover.prove(witness)
    await expect(prover.prove(second)).rejects.toMatchObject({ code: 'PROVER_BUSY' })
    await running
    expect((await prover.prove(second)).publicInputs).toEqual(PUBLIC_INPUTS[1])
  })
})

describe('a process of the prover', () => {
  test('loses no request if it crashes during a proof', async () => {
    const prover = await start()
    const proofs = Promise.all([prover.prove(witness), prover.prove(second)])
    await intoTheProof()
    process.kill(pids()[0]!, 'SIGKILL')
    expect((await proofs).map((proof) => proof.publicInputs)).toEqual(PUBLIC_INPUTS.slice(0, 2))
    expect(exits()).toMatchObject([{ signal: 'SIGKILL', duringProof: true }])
    expect(new Set(pids()).size).toBe(2)
  })

  test('fails only one request if that request crashes two processes', async () => {
    const prover = await start()
    const fatal = prover.prove(witness)
    const innocent = prover.prove(second)
    const outcome = expect(fatal).rejects.toMatchObject({ code: 'PROVER_CRASHED' })
    for (const crash of [0, 1]) {
      if (crash > 0) await next('started')
      await intoTheProof()
      process.kill(pids().at(-1)!, 'SIGKILL')
    }
    await outcome
    expect((await innocent).publicInputs).toEqual(PUBLIC_INPUTS[1])
  })

  test('is replaced, each time after a longer pause, if it crashes while idle', async () => {
    const prover = await start()
    const pauses: number[] = []
    for (let times = 0; times < 3; times++) {
      const exited = next('exited')
      process.kill(pids().at(-1)!, 'SIGKILL')
      const event = await exited
      pauses.push(event.kind === 'exited' ? event.restartInMs : 0)
      await next('started')
    }
    expect(pauses).toEqual([100, 200, 400])
    expect((await prover.prove(witness)).publicInputs).toEqual(PUBLIC_INPUTS[0])
  })

  test('is replaced if it hangs, and the new process proves the request', async () => {
    const prover = await start({ proofTimeoutMs: 12_000 })
    const proof = prover.prove(witness)
    process.kill(pids()[0]!, 'SIGSTOP')
    expect((await proof).publicInputs).toEqual(PUBLIC_INPUTS[0])
    expect(exits()).toMatchObject([{ signal: 'SIGKILL', duringProof: true }])
  })
})

describe('a faulty prover', () => {
  // The real prover can't be made to give wrong answers, so small scripts replace it.
  const answering = (answer: string) => [
    '-e',
    `console.log(JSON.stringify({ ready: true, development: true, vkeyHash: String(process.pid) }))
     const lines = require('node:readline').createInterface({ input: process.stdin })
     lines.on('line', (line) => { const { id, input } = JSON.parse(line); ${answer} })`,
  ]

  test('makes the request fail if it returns a proof of another statement', async () => {
    const publicInputs = JSON.stringify(PUBLIC_INPUTS[1]!.map(String))
    const proof = Buffer.alloc(256).toString('base64')
    const args = answering(
      `console.log(JSON.stringify({ id, ok: true, proof: '${proof}', publicInputs: ${publicInputs} }))`,
    )
    const prover = await start({ executable: process.execPath, args })
    await expect(prover.prove(witness)).rejects.toMatchObject({ code: 'PROOF_FAILED' })
  })

  test('raises one event for a reported fault, without the text of the report', async () => {
    const args = answering(
      `console.error('a library warns'); console.error('sotto-prover: the witness of ' + input.nk + ' fails')
       console.log(JSON.stringify({ id, ok: false, code: 'INPUT_INVALID' }))`,
    )
    const prover = await start({ executable: process.execPath, args })
    const reported = next('reported')
    await expect(prover.prove(witness)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await reported
    expect(events.filter(({ kind }) => kind !== 'started')).toEqual([{ kind: 'reported' }])
  })

  test('is ended when it answers a request that was never made', async () => {
    const args = answering(`console.log(JSON.stringify({ id: 'other', ok: true }))`)
    const prover = await start({ executable: process.execPath, args })
    const exited = next('exited')
    const proof = expect(prover.prove(witness)).rejects.toMatchObject({ code: 'PROVER_STOPPED' })
    expect(await exited).toMatchObject({ signal: 'SIGKILL', duringProof: true })
    await prover.stop()
    await proof
  })

  test('is not restarted with another key', async () => {
    // The script uses its process id as its key, so each process has a different key.
    const prover = await start({ executable: process.execPath, args: answering('process.exit(1)') })
    const exited = next('exited')
    const proof = expect(prover.prove(witness)).rejects.toMatchObject({ code: 'PROVER_STOPPED' })
    await exited
    expect(await next('exited')).toMatchObject({ signal: 'SIGKILL', duringProof: false })
    await prover.stop()
    await proof
    expect(pids()).toHaveLength(1)
  })
})

describe('stopping', () => {
  test('finishes the running proof, and refuses waiting and later requests', async () => {
    const prover = await start(ONE_AT_A_TIME)
    const running = prover.prove(witness)
    const waiting = expect(prover.prove(second)).rejects.toMatchObject({ code: 'PROVER_STOPPED' })
    await intoTheProof()
    await prover.stop()
    await waiting
    expect((await running).publicInputs).toEqual(PUBLIC_INPUTS[0])
    await expect(prover.prove(witness)).rejects.toMatchObject({ code: 'PROVER_STOPPED' })
    expect(() => process.kill(pids()[0]!, 0)).toThrow('ESRCH')
    expect(exits()).toEqual([])
  })
})

describe('a prover that cannot start', () => {
  test('names the artefact that is missing', async () => {
    const starting = start({ args: ['--artefacts', '/nonexistent'], processes: 2 })
    await expect(starting).rejects.toMatchObject({
      code: 'PROVER_START_FAILED',
      message: expect.stringContaining('manifest.json cannot be read'),
    })
  })

  test('names the executable that is missing', async () => {
    await expect(start({ executable: '/nonexistent/prover' })).rejects.toMatchObject({
      code: 'PROVER_START_FAILED',
      message: expect.stringContaining('ENOENT'),
    })
  })

  test('is refused if the executable is not a prover', async () => {
    const starting = start({ executable: process.execPath, args: ['-p', '1'] })
    await expect(starting).rejects.toMatchObject({ code: 'PROVER_START_FAILED' })
  })

  test('is refused if it has no process', async () => {
    await expect(start({ processes: 0 })).rejects.toMatchObject({ code: 'PROVER_START_FAILED' })
  })
})
