import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A separate folder for one test; the folder is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-localnet-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
