import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { DamagedLog } from './log-errors.ts'
import { type LogEnd, headPathOf, readLogHead } from './log-head.ts'
import { DIGEST_BYTES, FIRST_DIGEST, HEAD_BYTES, decodeHead, frameDigest } from './record-frame.ts'

export interface LogRecord {
  readonly offset: number
  readonly kind: number
  readonly payload: Buffer
}

/**
 * Reads a log from the start, passes each whole record to `visit`, and returns the log's end.
 *
 * The chain appends a record in one write, and syncs it before it reports the record's content. If the process is
 * killed during the write, the log ends with a part of the last record. After a power cut, it may end with zeros. No
 * client has seen the content of an incomplete record, so `LogFile` cuts it off. If any other check fails, the log is
 * damaged, and the function throws DamagedLog. It also throws DamagedLog if the log is shorter than its head file says.
 */
export function readLog(path: string, visit: (record: LogRecord) => void): LogEnd {
  const head = readLogHead(path)
  let isHeadReached = head === null || head.offset === 0
  const pass = (end: LogEnd) => {
    if (head?.offset === end.offset) isHeadReached = head.digest.equals(end.digest)
  }
  const end = existsSync(path) ? readFile(path, visit, pass) : START
  if (!isHeadReached) {
    throw new DamagedLog(
      path,
      end.offset,
      `records after it are missing, according to ${headPathOf(path)}`,
    )
  }
  return end
}

const START: LogEnd = { offset: 0, digest: FIRST_DIGEST }

function readFile(
  path: string,
  visit: (record: LogRecord) => void,
  pass: (end: LogEnd) => void,
): LogEnd {
  const descriptor = openSync(path, 'r')
  const { size } = fstatSync(descriptor)
  try {
    return readRecords({ path, descriptor, size }, visit, pass)
  } finally {
    closeSync(descriptor)
  }
}

function readRecords(
  { path, descriptor, size }: { path: string; descriptor: number; size: number },
  visit: (record: LogRecord) => void,
  pass: (end: LogEnd) => void,
): LogEnd {
  let end = START
  while (end.offset < size) {
    const { offset } = end
    if (offset + HEAD_BYTES > size) return end
    const head = readAt(descriptor, offset, HEAD_BYTES)
    const decoded = decodeHead(head)
    if (decoded === null) {
      if (isZeroTail(descriptor, offset, size)) return end
      throw new DamagedLog(path, offset, 'its head fails its checksum')
    }
    const bodyBytes = decoded.payloadBytes + DIGEST_BYTES
    if (offset + HEAD_BYTES + bodyBytes > size) return end
    const body = readAt(descriptor, offset + HEAD_BYTES, bodyBytes)
    const payload = body.subarray(0, decoded.payloadBytes)
    const digest = frameDigest(end.digest, head, payload)
    if (!digest.equals(body.subarray(decoded.payloadBytes))) {
      throw new DamagedLog(path, offset, 'its content fails its checksum')
    }
    try {
      visit({ offset, kind: decoded.kind, payload })
    } catch (cause) {
      throw new DamagedLog(path, offset, 'its content has no known form', { cause })
    }
    end = { offset: offset + HEAD_BYTES + bodyBytes, digest }
    pass(end)
  }
  return end
}

function readAt(descriptor: number, offset: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  readSync(descriptor, buffer, 0, bytes, offset)
  return buffer
}

function isZeroTail(descriptor: number, offset: number, size: number): boolean {
  const chunk = 1 << 16
  for (let at = offset; at < size; at += chunk) {
    const bytes = readAt(descriptor, at, Math.min(chunk, size - at))
    if (bytes.some((byte) => byte !== 0)) return false
  }
  return true
}
