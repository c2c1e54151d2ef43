import { writeFile } from 'node:fs/promises'
import { openApiDocument } from './index.ts'

// Run this after a change to the schemas. A test fails if the committed document differs from the schemas.
const path = new URL('./openapi.json', import.meta.url)
await writeFile(path, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
