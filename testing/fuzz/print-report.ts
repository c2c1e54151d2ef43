import { tooFew, type FuzzReport } from './run-fuzz.ts'

const counts = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .sort(([, left], [, right]) => right - left)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

/** The report for a person: requests, answers and problems. */
export function describeReport(report: FuzzReport): string {
  const { seed, requests, statuses, codes, kinds, complaints, complained } = report
  const share = (value: number) => `${(value * 100).toFixed(1)} %`
  const rows = Object.entries(kinds).map(([kind, { sent, succeeded }]) => {
    return `  ${kind.padEnd(28)} ${String(sent).padStart(6)} sent ${String(succeeded).padStart(6)} succeeded`
  })
  const wrong = complaints.flatMap(({ index, kind, problems, curl }) => [
    '',
    `Request ${index} (${kind}): ${problems.join('; ')}`,
    `  ${curl}`,
  ])
  const verdict = tooFew(report)
  return [
    `${requests} requests, seed ${seed}`,
    `  answers  ${counts(statuses)}`,
    `  errors   ${counts(codes)}`,
    ...rows,
    `  ${share(report.successShare)} of all and ${share(report.wholeShare)} of the unbroken requests succeeded`,
    ...wrong,
    ...(verdict === undefined ? [] : ['', verdict]),
    '',
    complained === 0
      ? 'Every answer agrees with the document.'
      : `${complained} answers differ from the document. To repeat: npm run fuzz -- --requests ${requests} --seed ${seed}`,
  ].join('\n')
}
