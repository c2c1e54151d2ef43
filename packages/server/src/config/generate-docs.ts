// Writes `docs/configuration.md`, a page of every setting.
import { writeFile } from 'node:fs/promises'
import { describeSettings } from './describe-settings.ts'

await writeFile(new URL('../../../../docs/configuration.md', import.meta.url), describeSettings())
