import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeLogHead, type LogEnd } from './log-head.ts'
import { encodeFrame } from './record-frame.ts'

/** Appends records to a log. A record is durable when the append returns. */
export class LogFile {
  readonly #path: string
  readonly #descriptor: number
  #offset: number
  #digest: Buffer

  /** Opens a log for appending at `end`. Bytes after `end` (an incomplete record) are cut off. */
  constructor(path: string, end: LogEnd) {
    this.#path = path
    this.#descriptor = openSync(path, 'a+', 0o600)
    ftruncateSync(this.#descriptor, end.offset)
    fsyncSync(this.#descriptor)
    syncFolder(dirname(path))
    this.#offset = end.offset
    this.#digest = end.digest
  }

  append(kind: number, payload: Uint8Array): void {
    const { frame, digest } = encodeFrame(kind, payload, this.#digest)
    let written = 0
    while (written < frame.length) written += writeSync(this.#descriptor, frame, written)
    fdatasyncSync(this.#descriptor)
    this.#offset += frame.length
    this.#digest = digest
  }

  /** Stores the log's current length in a separate file. */
  mark(): void {
    writeLogHead(this.#path, { offset: this.#offset, digest: this.#digest })
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/** Syncs a folder. Without the sync, the name of a new file in the folder could be lost. */
function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
