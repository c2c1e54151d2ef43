import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'

/** Number of bytes that are read at once. */
const CHUNK_BYTES = 8_388_608
const PAGE_BYTES = 4_096
/** Regions of the kernel's memory that the system lists among a process's own regions. */
const KERNELS = /\[(vvar|vvar_vclock|vsyscall|vdso)\]$/

export interface Needle {
  readonly name: string
  readonly bytes: Buffer
}

export interface Found {
  /** The names of the needles that were found. */
  readonly names: readonly string[]
  /** Number of bytes that could be read. */
  readonly bytesRead: number
}

/** A process and all its child processes, including the prover's. */
export function withChildren(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  )
  return [pid, ...children.flatMap((child) => withChildren(Number(child)))]
}

/** Searches all readable memory of a process: heap, stacks, libraries and other mappings. */
export function searchMemory(pid: number, needles: readonly Needle[]): Found {
  const longest = Math.max(...needles.map(({ bytes }) => bytes.length))
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const names = new Set<string>()
  let bytesRead = 0
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    for (const { start, end } of readableRegions(pid)) {
      let at = start
      while (at < end) {
        const length = readRegion(memory, chunk, at, Math.min(CHUNK_BYTES, end - at))
        bytesRead += length
        const read = chunk.subarray(0, length)
        for (const { name, bytes } of needles) if (read.includes(bytes)) names.add(name)
        if (at + length === end) break
        // Chunks overlap, so that a needle at their border is found. A read ends before an unreadable page. If it
        // returned no more bytes than a needle has, the search skips a page.
        at += length > longest ? length - longest : PAGE_BYTES
      }
    }
  } finally {
    closeSync(memory)
    chunk.fill(0)
  }
  return { names: [...names].sort(), bytesRead }
}

function readableRegions(pid: number) {
  return readFileSync(`/proc/${pid}/maps`, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => / r.../.test(line) && !KERNELS.test(line))
    .map((line) => {
      const [start = '', end = ''] = (line.split(' ')[0] ?? '').split('-')
      return { start: Number.parseInt(start, 16), end: Number.parseInt(end, 16) }
    })
}

/** Reads bytes of a region. Returns their number, which is 0 if the region has disappeared or belongs to a device. */
function readRegion(memory: number, into: Buffer, at: number, length: number): number {
  try {
    return readSync(memory, into, 0, length, at)
  } catch {
    return 0
  }
}
