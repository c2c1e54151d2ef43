import type { Outcome, Step } from './outcome.ts'
import { judgeAudit } from './judge-audit.ts'
import { runCaptured } from './run-tool.ts'

const WHY = 'Sotto runs the packages that it imports, so their known vulnerabilities affect Sotto.'
const CRATES = ['program/Cargo.lock', 'wasm/Cargo.lock']

/** Checks all shipped packages against lists of known vulnerabilities. */
export const auditStep: Step = {
  name: 'audit',
  run: async () => [await npmAudit(), ...(await Promise.all(CRATES.map(crateAudit)))],
}

/** Runs npm's audit once, with a short timeout. Without a network, the check must continue. */
async function npmAudit(): Promise<Outcome> {
  const args = ['audit', '--json', '--omit=dev', '--audit-level=high', '--loglevel=silent']
  const limits = ['--fetch-retries=0', '--fetch-timeout=20000']
  const { output } = await runCaptured('npm', [...args, ...limits])
  return { name: 'audit npm', why: WHY, ...judgeAudit(output) }
}

/** Runs cargo-audit. It needs the repository of advisories, which some machines can't reach. */
async function crateAudit(file: string): Promise<Outcome> {
  const name = `audit ${file}`
  const skip = (reason: string): Outcome => ({
    name,
    problems: [],
    skipped: `NOT ASKED: known vulnerabilities were not looked up; ${reason}`,
  })
  const isThere = await runCaptured('cargo', ['audit', '--version']).catch(() => undefined)
  if (isThere?.code !== 0) return skip('cargo audit is not installed: cargo install cargo-audit')
  const { output } = await runCaptured('cargo', ['audit', '--json', '--file', file])
  const start = output.indexOf('{')
  if (start < 0) return skip(output.trim().split('\n').at(-1) ?? '')
  const { vulnerabilities } = JSON.parse(output.slice(start)) as {
    vulnerabilities: { list: { advisory: { id: string; title: string } }[] }
  }
  const problems = vulnerabilities.list.map(({ advisory }) => `${advisory.id} ${advisory.title}`)
  return { name, problems, why: WHY, note: 'cargo-audit' }
}
