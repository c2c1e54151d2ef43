// Writes `docs/metrics.md`, a page of every metric.
import { writeFile } from 'node:fs/promises'
import { format } from 'oxfmt'
import { metricsPage } from './describe-metrics.ts'

const path = new URL('../../../../docs/metrics.md', import.meta.url)
await writeFile(path, (await format('metrics.md', await metricsPage())).code)
