// Asks this container's service how it is: 0 where it answers, 1 where it doesn't. A worker has no API, so
// that its metrics speak for it.
const { SOTTO_ROLE = 'api,worker', SOTTO_PORT = '8080', SOTTO_METRICS_PORT = '9464' } = process.env

const url = SOTTO_ROLE.includes('api')
  ? `http://127.0.0.1:${SOTTO_PORT}/livez`
  : `http://127.0.0.1:${SOTTO_METRICS_PORT}/metrics`

try {
  // Below the time that Docker gives it.
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(4_000) })
  if (!ok) console.error(`${url} answered ${status}`)
  process.exitCode = ok ? 0 : 1
} catch (error) {
  console.error(`${url} does not answer: ${error.message}`)
  process.exitCode = 1
}
