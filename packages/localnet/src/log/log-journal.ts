import type { Batch, Journal, Reservation } from '../chain/journal.ts'
import { encodeBatch, encodeReservation } from './batch-codec.ts'
import type { LogFile } from './log-file.ts'
import { BATCH, RESERVATION } from './record-kinds.ts'

/**
 * The journal on disk. A write can fail, for example because the disk is full. Then the runtime contains changes that
 * the log lacks. The chain must not answer any more requests, so `onFailure` must end the process.
 */
export class LogJournal implements Journal {
  readonly #file: LogFile
  readonly #onFailure: (error: unknown) => void

  constructor(file: LogFile, onFailure: (error: unknown) => void) {
    this.#file = file
    this.#onFailure = onFailure
  }

  appendBatch(batch: Batch): void {
    this.#append(BATCH, encodeBatch(batch))
  }

  appendReservation(reservation: Reservation): void {
    this.#append(RESERVATION, encodeReservation(reservation))
    // This method is called at least every 64 slots, and at a clean stop. So the log's length is recorded often enough,
    // and this additional write is rare.
    this.#orFail(() => this.#file.mark())
  }

  close(): void {
    this.#file.close()
  }

  #append(kind: number, payload: Uint8Array): void {
    this.#orFail(() => this.#file.append(kind, payload))
  }

  #orFail(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#onFailure(error)
      throw error
    }
  }
}
