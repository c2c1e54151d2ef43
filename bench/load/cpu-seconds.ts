import { readFileSync } from 'node:fs'

/** Linux counts a process's processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** Processor seconds that a process has used; NaN if the operating system doesn't report it. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process's name is in brackets and may contain spaces. User time and system time are the 12th and 13th fields
    // after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}
