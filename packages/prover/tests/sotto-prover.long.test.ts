import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { flipCoefficient, refuseAll, renameInput } from './faulty-programs.ts'

const inPackage = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const EXECUTABLE = inPackage('bin/sotto-prover')
const ARTEFACTS = inPackage('artefacts')
/** Number of proofs that the engine `native` makes at the same time. */
const AT_ONCE = Math.min(2, availableParallelism())

type Input = Record<string, string | string[]>

interface Manifest {
  development: boolean
  files: Record<string, string>
}

interface Answer {
  id?: string | null
  ready?: boolean
  engine?: string
  atOnce?: number
  development?: boolean
  vkeyHash?: string
  ok?: boolean
  code?: string
  proof?: string
  publicInputs?: string[]
}

const vectorsUrl = new URL('../../../vectors/circuit.json', import.meta.url)
const vectors = JSON.parse(await readFile(vectorsUrl, 'utf8')) as {
  cases: { kind: string; input: Input; publicInputs: string[] }[]
}
const { input, publicInputs } = vectors.cases[0]!
const payment = vectors.cases.find(({ kind }) => kind === 'pay')!

/** Sends some lines to the executable, and waits until it exits. */
async function run(lines: string[], args: string[] = [], executable = EXECUTABLE) {
  const child = executable.endsWith('.mjs')
    ? spawn(process.execPath, [executable, ...args], { stdio: 'pipe' })
    : spawn(executable, args, { stdio: 'pipe' })
  const text = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  const code = await new Promise((resolve) => child.on('close', resolve))
  const answers = text.out.split('\n').filter((line) => line !== '')
  return { code, ...text, answers: answers.map((line) => JSON.parse(line) as Answer) }
}

const request = (id: string, changes: Record<string, unknown> = {}) =>
  JSON.stringify({ id, input: { ...input, ...changes } })

describe('a prover', () => {
  test('reports its key, and ends when its input ends', async () => {
    const { code, answers, err } = await run([])
    const manifest = JSON.parse(await readFile(join(ARTEFACTS, 'manifest.json'), 'utf8')) as {
      files: Record<string, string>
    }
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const vkeyHash = manifest.files['vkey.json']
    expect(answers).toEqual([
      { ready: true, development: true, vkeyHash, engine: 'native', atOnce: AT_ONCE },
    ])
  })

  test('answers requests in order, and continues after a refused request', async () => {
    const secret = String(input['nk'])
    const { answers, out, err } = await run([
      request('false-statement', { root: '1' }),
      'no request at all',
      JSON.stringify({ input }),
      request('negative', { payout: '-1' }),
      request('beyond-the-field', { nk: String(2n ** 254n) }),
      request('leading-zero', { time: '01' }),
      request('a-number', { refund: 0 }),
      request('short-path', { path: (input['path'] as string[]).slice(1) }),
      request('long-claim', { claim: [...(input['claim'] as string[]), '0'] }),
      request('a-list', { fee: ['0'] }),
      request('unknown-member', { extra: '1' }),
      request('good'),
    ])
    const seen = answers.slice(1).map(({ id, ok, code }) => [id, ok === true ? 'proof' : code])
    expect(seen).toEqual([
      ['false-statement', 'STATEMENT_FALSE'],
      [null, 'REQUEST_MALFORMED'],
      [null, 'REQUEST_MALFORMED'],
      ['negative', 'INPUT_INVALID'],
      ['beyond-the-field', 'INPUT_INVALID'],
      ['leading-zero', 'INPUT_INVALID'],
      ['a-number', 'INPUT_INVALID'],
      ['short-path', 'INPUT_INVALID'],
      ['long-claim', 'INPUT_INVALID'],
      ['a-list', 'INPUT_INVALID'],
      ['unknown-member', 'INPUT_INVALID'],
      ['good', 'proof'],
    ])
    const good = answers.at(-1)!
    expect(Buffer.from(good.proof!, 'base64')).toHaveLength(256)
    expect(good.publicInputs).toEqual(publicInputs)
    expect(err).toBe('')
    expect(out).not.toContain(secret)
  })
})

describe('an engine', () => {
  test.each(['native', 'wasm', 'snarkjs'])(
    '%s proves the same statement with fresh blinding',
    async (engine) => {
      const lines = [request('one'), request('two'), request('payment', payment.input)]
      const { answers, err } = await run(lines, ['--engine', engine])
      expect(err).toBe('')
      const [ready, one, two, paid] = answers
      expect(ready?.engine).toBe(engine)
      // The prover verifies each proof before it answers.
      for (const answer of [one, two]) expect(answer).toMatchObject({ ok: true, publicInputs })
      expect(one?.proof).not.toBe(two?.proof)
      expect(paid).toMatchObject({ ok: true, publicInputs: payment.publicInputs })
    },
  )

  test('that is unknown stops the start of the prover', async () => {
    const { code, err } = await run([], ['--engine', 'quick'])
    expect(code).toBe(1)
    expect(err).toContain('--engine must be one of native, wasm, snarkjs')
  })

  /**
   * Runs a copy of the prover with a changed witness program, or without one. If `isPinned`, the copy contains that
   * program's hash.
   */
  async function runWith(
    lines: string[],
    change: ((file: Buffer) => Buffer) | undefined,
    isPinned: boolean,
  ) {
    // The folder is inside the package, so that the copy can import snarkjs.
    const folder = await mkdtemp(inPackage('.other-program-'))
    try {
      for (const name of ['src', 'wasm', 'sotto-prover.mjs']) {
        await cp(inPackage(name), join(folder, name), { recursive: true })
      }
      if (change !== undefined) {
        const file = change(await readFile(inPackage('witness/settle.program')))
        await mkdir(join(folder, 'witness'))
        await writeFile(join(folder, 'witness/settle.program'), file)
        const hash = createHash('sha256').update(file).digest('hex')
        const pin = `export const WITNESS_PROGRAM_SHA256 = '${hash}'`
        if (isPinned) {
          await writeFile(join(folder, 'src/generated/witness-program-hash.mjs'), pin)
        }
      }
      const args = ['--artefacts', ARTEFACTS, '--engine', 'wasm']
      return await run(lines, args, join(folder, 'sotto-prover.mjs'))
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test.each([
    ['is missing', 'cannot be read', undefined, false],
    ['is damaged', 'has been changed', flipCoefficient, false],
    ['is not a program', '', (file: Buffer) => file.subarray(0, -1), true],
    ['refuses every input', 'refuses a true statement', refuseAll, true],
    ['computes a wrong value', 'does not verify', flipCoefficient, true],
    ['lacks an input', 'no proof could be made', renameInput, true],
  ] as const)(
    'proves with the witness of circom’s generator if the witness program %s',
    async (_, fault, change, isPinned) => {
      const lines = [request('false-statement', { root: '1' }), request('one'), request('two')]
      const { answers, err } = await runWith(lines, change, isPinned)
      expect(answers[1]).toMatchObject({ ok: false, code: 'STATEMENT_FALSE' })
      for (const answer of answers.slice(2))
        expect(answer).toMatchObject({ ok: true, publicInputs })
      expect(answers).toHaveLength(4)
      // There is one report for all proofs. It contains no part of an input.
      expect(err.split('\n').filter((line) => line !== '')).toHaveLength(fault === '' ? 0 : 1)
      expect(err).toContain(fault)
      expect(err).not.toContain(String(input['nk']))
    },
  )

  test('that is missing is replaced by snarkjs, unless --engine names it', async () => {
    // The folder is inside the package, so that the copy can import snarkjs.
    const folder = await mkdtemp(inPackage('.without-module-'))
    try {
      await cp(inPackage('src'), join(folder, 'src'), { recursive: true })
      await cp(inPackage('sotto-prover.mjs'), join(folder, 'sotto-prover.mjs'))
      const executable = join(folder, 'sotto-prover.mjs')
      const args = ['--artefacts', ARTEFACTS]
      const { answers } = await run([request('one')], args, executable)
      expect(answers[0]?.engine).toBe('snarkjs')
      expect(answers[1]).toMatchObject({ ok: true, publicInputs })
      const wanted = await run([], [...args, '--engine', 'wasm'], executable)
      expect(wanted.code).toBe(1)
      expect(wanted.err).toContain('groth16.wasm')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('artefacts are checked against the manifest', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-artefacts-'))
    await cp(ARTEFACTS, folder, { recursive: true })
  })
  afterEach(() => rm(folder, { recursive: true }))

  const start = () => run([request('never-answered')], ['--artefacts', folder])
  const files = ['settle.zkey', 'settle.wasm', 'vkey.json']

  test('the prover starts with an exact copy', async () => {
    expect((await run([], ['--artefacts', folder])).code).toBe(0)
  })

  test.each([...files, 'manifest.json'])('a missing %s stops the start', async (name) => {
    await rm(join(folder, name))
    const { code, err, out } = await start()
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`${name} cannot be read`)
  })

  test.each(files)('one changed bit in %s stops the start', async (name) => {
    const bytes = await readFile(join(folder, name))
    const middle = bytes.length >> 1
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
    await writeFile(join(folder, name), bytes)
    const { code, err, out } = await start()
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`${name} in ${folder} has been changed`)
  })

  /** Changes the manifest. No hash protects the manifest. */
  async function rewriteManifest(change: (manifest: Manifest) => object): Promise<Manifest> {
    const path = join(folder, 'manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
    await writeFile(path, JSON.stringify(change(manifest)))
    return manifest
  }

  test('a manifest without the member `development` belongs to a development key', async () => {
    await rewriteManifest(({ development: _, ...rest }) => rest)
    const { answers } = await run([], ['--artefacts', folder])
    expect(answers[0]?.development).toBe(true)
  })

  test('a manifest that says `development: false` without a transcript stops the start', async () => {
    await rewriteManifest((manifest) => ({ ...manifest, development: false }))
    const { code, err } = await start()
    expect([code, err]).toEqual([1, expect.stringContaining('names no transcript')])
  })

  // circuit/tests/ceremony.long.test.ts starts provers with a real ceremony's key, and with altered copies of it.
  test('a forged transcript does not count as a ceremony', async () => {
    const forge = (sha256: string | undefined) =>
      JSON.stringify({ entries: [{ kind: 'beacon', phase: 2, sha256 }] })
    const { files } = await rewriteManifest((manifest) => {
      const transcript = forge(manifest.files['settle.zkey'])
      const hash = createHash('sha256').update(transcript).digest('hex')
      return { ...manifest, development: false, ceremony: { transcript: hash } }
    })
    await writeFile(join(folder, 'ceremony.json'), forge(files['settle.zkey']))
    const { code, out, err } = await start()
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('does not prove that a ceremony made this key')
  })
})
