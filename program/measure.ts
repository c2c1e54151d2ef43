/**
 * Writes program/MEASURES.md: compute units and transaction bytes of deposits, settlements and closings. The script
 * runs the committed program on an embedded chain. Run it with tsx. A test compares the committed page with a new run.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measureInstructions, renderMeasures } from './tests/fixtures/measurements.ts'

const file = fileURLToPath(new URL('MEASURES.md', import.meta.url))
writeFileSync(file, renderMeasures(await measureInstructions()))
