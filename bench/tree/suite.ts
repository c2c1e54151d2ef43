import { wasmPoseidon } from '@sotto/poseidon'
import { RECENT } from '@sotto/protocol'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { poseidonLite } from '../../packages/server/src/adapters/poseidon/poseidon-lite.ts'
import { writeLeafFile } from '../../packages/server/src/adapters/poseidon/leaf-file.ts'
import { TreeFile } from '../../packages/server/src/adapters/tree/tree-file.ts'
import { lineOf, type Line, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'

const LEAVES = 1_000_000
const QUICK_LEAVES = 20_000
const THREADS = 2
/**
 * The baselines, which we chose. They are the longest time that an operator should wait for a rebuild, and the memory
 * of a small machine.
 */
const SECONDS_MAX = 90
const MEGABYTES_MAX = 1_000
/** The limits for opening a tree file of `FILE_LEAVES` leaves. */
const FILE_LEAVES = 10_000_000
const OPEN_SECONDS_MAX = 10
const scriptOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Leaves that look random and are the same in each run. */
async function* sampleLeaves(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    const leaf = createHash('sha256').update(`leaf ${index}`).digest()
    // Clears the three highest bits. The number is then below the modulus, which has 254 bits.
    leaf[0] = (leaf[0] ?? 0) & 0x1f
    yield leaf
  }
}

async function rebuild(count: number): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-tree-'))
  try {
    const file = join(folder, 'leaves')
    await writeLeafFile(file, sampleLeaves(count))
    const name = `tree: ${count} leaves, ${THREADS} threads`
    return linesOf(
      name,
      SECONDS_MAX,
      await runScript(count, './rebuild-tree.ts', file, `${THREADS}`),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Run {
  readonly leaves: number
  readonly seconds: number
  readonly peakMb: number
}

/** Runs a script of this folder in a separate process. */
async function runScript(leaves: number, script: string, ...args: string[]): Promise<Run> {
  const words = ['--import', 'tsx', scriptOf(script), ...args]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  const run = JSON.parse(stdout) as Run
  if (run.leaves !== leaves) throw new Error('the tree lacks leaves')
  return run
}

const linesOf = (name: string, secondsMax: number, { seconds, peakMb }: Run): Measured[] => [
  { name, unit: 's', values: [seconds], baselines: [secondsMax], bar: '<= 1' },
  {
    ...{ name: `${name}, peak memory`, unit: 'MB' },
    ...{ values: [peakMb], baselines: [MEGABYTES_MAX], bar: '<= 1' },
  },
]

/**
 * Opens a tree file with arbitrary hashes, because computing the hashes of ten million leaves takes minutes. The time
 * for opening a file doesn't depend on the hashes.
 */
async function openFile(count: number): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-tree-'))
  try {
    const path = join(folder, 'tree')
    const node = Buffer.alloc(32, 7)
    const { file } = await TreeFile.open(path)
    const nodesOf = (_: number, from: number, to: number) =>
      to - from === 1 ? node : Buffer.alloc((to - from) * 32, 7)
    await file.save({ size: count + RECENT, nodesOf })
    await file.close()
    const name = `tree: opening a file of ${count} leaves`
    return linesOf(name, OPEN_SECONDS_MAX, await runScript(count, './open-tree.ts', path))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const HASHES = 500
const ROUNDS = 5

function microsecondsEach(hash: typeof wasmPoseidon): number {
  const start = performance.now()
  let node = 1n
  for (let count = 0; count < HASHES; count += 1) node = hash([node, 2n, 3n, 4n])
  return ((performance.now() - start) * 1_000) / HASHES
}

function hashing(): Measured {
  const values: number[] = []
  const baselines: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    values.push(microsecondsEach(wasmPoseidon))
    baselines.push(microsecondsEach(poseidonLite))
  }
  return { name: 'tree: one hash', unit: 'us', values, baselines, bar: '<= 0.5' }
}

/**
 * Measures the note tree. One hash is compared with plain JavaScript. The rebuild of a tree from a leaf file is
 * compared with limits for time and memory. The opening of a tree file is compared with limits too.
 */
export const treeSuite: Suite = {
  measures: 'hashing, rebuilding and opening the note tree',
  run: async ({ quick, wants, progress }: SuiteOptions): Promise<Line[]> => {
    const measured = [hashing()]
    const count = quick ? QUICK_LEAVES : LEAVES
    if (wants(`tree: ${count} leaves`)) {
      progress(`  a tree of ${count} leaves`)
      measured.push(...(await rebuild(count)))
    }
    const fileLeaves = quick ? QUICK_LEAVES : FILE_LEAVES
    if (wants(`tree: opening a file of ${fileLeaves} leaves`)) {
      progress(`  a tree file of ${fileLeaves} leaves`)
      measured.push(...(await openFile(fileLeaves)))
    }
    return measured.filter(({ name }) => wants(name)).map((one) => lineOf(one, !quick))
  },
}
