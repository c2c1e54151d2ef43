// Writes `docs/metrics.md`, a page of every metric.
import { writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { metricsPage } from './describe-metrics.ts'

const path = new URL('../../../../docs/metrics.md', import.meta.url)
const options = await resolveConfig(path)
await writeFile(path, await format(await metricsPage(), { ...options, parser: 'markdown' }))
