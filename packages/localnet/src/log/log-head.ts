import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { z } from 'zod'
import { DamagedLog } from './log-errors.ts'

/** The end of a log whose records were all read without damage. */
export interface LogEnd {
  readonly offset: number
  readonly digest: Buffer
}

const SUFFIX = '.head'
const headFile = z.strictObject({
  offset: z.number().int().min(0),
  digest: z.string().regex(/^[0-9a-f]{32}$/),
})

/** The path of the head file, which stores a length up to which the log is durable. */
export function headPathOf(logPath: string): string {
  return logPath + SUFFIX
}

/**
 * Records that the log is durable up to `end`. A log without its last records looks intact. Only this separate file
 * shows that records were removed from the end. The file is written from time to time, after the log, so it doesn't
 * cover the newest records.
 */
export function writeLogHead(logPath: string, end: LogEnd): void {
  const path = headPathOf(logPath)
  const draft = `${path}.new`
  const descriptor = openSync(draft, 'w', 0o600)
  const { offset, digest } = end
  writeSync(descriptor, `${JSON.stringify({ offset, digest: digest.toString('hex') })}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(draft, path)
}

/** The log's length as the head file records it. Null if there is no head file. Throws DamagedLog. */
export function readLogHead(logPath: string): LogEnd | null {
  const path = headPathOf(logPath)
  if (!existsSync(path)) return null
  try {
    const { offset, digest } = headFile.parse(JSON.parse(readFileSync(path, 'utf8')))
    return { offset, digest: Buffer.from(digest, 'hex') }
  } catch (cause) {
    throw new DamagedLog(path, 0, 'its form is not known', { cause })
  }
}
