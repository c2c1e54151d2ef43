import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { formatted } from '../../tools/formatted.ts'
import { NO_REPORT, type BenchReport } from './bench-report.ts'
import { renderPage } from './performance-page.ts'

const REPORT = new URL('../report.json', import.meta.url)
const PAGE = new URL('../../docs/performance.md', import.meta.url)

export async function readReport(): Promise<BenchReport> {
  if (!existsSync(REPORT)) return NO_REPORT
  return JSON.parse(await readFile(REPORT, 'utf8')) as BenchReport
}

export async function writeReport(report: BenchReport): Promise<void> {
  await writeFormatted(REPORT, JSON.stringify(report))
  await writePage(report)
}

/** Writes the page that presents the report. */
export async function writePage(report: BenchReport): Promise<void> {
  await writeFormatted(PAGE, renderPage(report))
}

async function writeFormatted(file: URL, text: string): Promise<void> {
  await writeFile(file, await formatted(fileURLToPath(file), text))
}
