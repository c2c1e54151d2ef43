// Writes `docs/performance.md` from the data of `bench/report.json`.
import { readReport, writePage } from './report/report-file.ts'

await writePage(await readReport())
