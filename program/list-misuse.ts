/**
 * Writes program/MISUSE.md: every misuse of every instruction and the resulting error. The script runs the committed
 * program on an embedded chain. Run it with tsx. A test compares the committed page with a new run.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MISUSED, misuseOf, type Misuse } from './tests/fixtures/misuse.ts'
import { renderMisuse } from './tests/fixtures/misuse-page.ts'

const file = fileURLToPath(new URL('MISUSE.md', import.meta.url))
const found = new Map<string, readonly Misuse[]>()
for (const name of MISUSED) found.set(name, await misuseOf(name))
writeFileSync(file, renderMisuse(found))
