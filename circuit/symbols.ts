import { readFile } from 'node:fs/promises'
import { present } from './present.ts'

/**
 * The wire of every named signal. Signals that the compiler replaced by other signals have no wire, and the result
 * omits them.
 */
export async function readSymbols(path: string): Promise<Map<string, number>> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  const entries = lines.map((line) => line.split(',')).filter(([, wire]) => wire !== '-1')
  return new Map(entries.map(([, wire, , name]) => [present(name), Number(wire)]))
}
