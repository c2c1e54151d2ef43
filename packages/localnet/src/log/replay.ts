import type { Address } from '@solana/kit'
import type { Account } from '../chain/account.ts'
import { loadProgram, type Program } from '../chain/load-program.ts'
import type { Runtime } from '../chain/runtime.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import { decodeBatch, decodeReservation } from './batch-codec.ts'
import type { LogEnd } from './log-head.ts'
import { decodeProgram } from './program-codec.ts'
import { readLog } from './read-log.ts'
import { BATCH, GENESIS, PROGRAM, RESERVATION } from './record-kinds.ts'

/** The content of a log that hasn't been applied to a runtime yet. */
export interface Replay {
  readonly end: LogEnd
  /** The genesis seed, or null for a new log. */
  readonly seed: Uint8Array | null
  readonly programs: Map<Address, Program>
  readonly records: TransactionRecord[]
  /** The newest content of every account that ever changed. */
  readonly accounts: Map<Address, Account | null>
  readonly blockTimes: { slot: number; unixTime: number }[]
  /** The slot after which a restart must continue. */
  readonly lastSlot: number
  readonly unixTime: number
  readonly offsetSeconds: number
}

/**
 * Reads a log into memory and loads its programs into the runtime. The caller then writes each account once, in its
 * final state. Throws DamagedLog.
 */
export function replayLog(path: string, runtime: Runtime): Replay {
  const state = {
    seed: null as Uint8Array | null,
    programs: new Map<Address, Program>(),
    records: [] as TransactionRecord[],
    accounts: new Map<Address, Account | null>(),
    blockTimes: [] as { slot: number; unixTime: number }[],
    lastSlot: 0,
    unixTime: 0,
    offsetSeconds: 0,
  }
  const current = (address: Address) => {
    const known = state.accounts.get(address)
    return known === undefined ? runtime.readAccount(address) : known
  }
  const end = readLog(path, ({ kind, payload }) => {
    switch (kind) {
      case GENESIS:
        state.seed = new Uint8Array(payload)
        return
      case PROGRAM: {
        const program = decodeProgram(payload)
        state.programs.set(program.address, program)
        loadProgram(runtime, program)
        return
      }
      case BATCH: {
        const batch = decodeBatch(payload, current)
        for (const record of batch.records) state.records.push(record)
        for (const { address, after } of batch.accounts) state.accounts.set(address, after)
        state.blockTimes.push({ slot: batch.slot, unixTime: batch.unixTime })
        state.lastSlot = Math.max(state.lastSlot, batch.slot)
        state.unixTime = Math.max(state.unixTime, batch.unixTime)
        return
      }
      case RESERVATION: {
        const reservation = decodeReservation(payload)
        // The newest reservation is valid, even if an earlier reservation was higher. A clean stop releases the
        // reserved slots that weren't used.
        state.lastSlot = reservation.slot
        state.unixTime = Math.max(state.unixTime, reservation.unixTime)
        state.offsetSeconds = reservation.offsetSeconds
        return
      }
      default:
        throw new RangeError(`unknown kind of record ${kind}`)
    }
  })
  return { end, ...state }
}
