import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Failure } from './totals.ts'

/** The seed with which the next night begins, and the results of earlier nights. */
export interface Nights {
  /** The next seed to run. */
  readonly next: number
  /** Number of seeds that all nights together have run. */
  readonly seeds: number
  /** Seeds that broke a rule. They stay in the file until someone deletes the file. */
  readonly failures: readonly Failure[]
}

/** The path of the file, in a folder that Git ignores. */
const FILE = fileURLToPath(new URL('../../dist/sim-nights.json', import.meta.url))

/**
 * The record of earlier nights. `first` is the seed of the first night.
 *
 * @throws Error if the file is damaged.
 */
export async function readNights(first: number, file = FILE): Promise<Nights> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { next: first, seeds: 0, failures: [] }
  }
  const nights = JSON.parse(text) as Partial<Nights>
  if (Number.isSafeInteger(nights.next) && Array.isArray(nights.failures)) return nights as Nights
  throw new Error(`${file} is damaged: delete it to begin again with the first seed`)
}

/** Replaces the file in one step, so that a killed run leaves a complete file. */
export async function writeNights(nights: Nights, file = FILE): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(nights, undefined, 2)}\n`)
  await rename(`${file}.new`, file)
}
