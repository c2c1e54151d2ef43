import { fsyncSync, writeSync } from 'node:fs'

/** Appends a text durably. One write may take only part of the text. @throws Error if a part can't be written. */
export function append(file: number, text: string): void {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) written += writeSync(file, bytes, written)
  fsyncSync(file)
}
