import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { medianOf } from '../report/line.ts'

const EVERY_MS = 500

/** Resident memory of a process without its children, in MB (10^6 bytes). */
async function residentNow(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error('the system reports no resident memory')
  return (Number(kilobytes) * 1_024) / 1e6
}

/**
 * Waits for `seconds` while the process is idle. Then measures its memory for another `seconds`, and returns the median
 * in MB.
 */
export async function residentIdle(pid: number, seconds: number): Promise<number> {
  await sleep(seconds * 1_000)
  const found: number[] = []
  for (let waited = 0; waited < seconds * 1_000; waited += EVERY_MS) {
    found.push(await residentNow(pid))
    await sleep(EVERY_MS)
  }
  return medianOf(found)
}
