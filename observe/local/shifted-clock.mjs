// The processes of chain and service load this file before their own code. It reads a number of milliseconds from the
// file named by OBSERVE_CLOCK_FILE, and adds it to the process's clock. Between changes of that number, time passes at
// its usual speed.
import { readFileSync } from 'node:fs'

const file = process.env.OBSERVE_CLOCK_FILE
const machineNow = Date.now
const MachineDate = Date
/** The shortest time between two reads of the file, in milliseconds. */
const READ_EVERY_MS = 10

let readAtMs = 0
let shiftMs = 0

function shiftedNow() {
  const nowMs = machineNow()
  if (nowMs - readAtMs >= READ_EVERY_MS) {
    readAtMs = nowMs
    const read = Number(readFileSync(file, 'utf8'))
    // The clock never goes back, even if the file is empty or contains no number.
    if (Number.isFinite(read)) shiftMs = Math.max(shiftMs, read)
  }
  return nowMs + shiftMs
}

if (file !== undefined) {
  globalThis.Date = class ShiftedDate extends MachineDate {
    constructor(...parts) {
      if (parts.length === 0) super(shiftedNow())
      else super(...parts)
    }

    static now() {
      return shiftedNow()
    }
  }
}
