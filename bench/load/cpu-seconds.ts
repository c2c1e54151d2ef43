import { readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second for every process. */
const TICKS_PER_SECOND = 100

/** Processor seconds that a process has used; NaN if the system doesn't report it. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process's name, in brackets, may contain spaces. User and system time are the 12th and 13th fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}
