// Checks the health of the service in this container. Exits with 0 if the service is healthy, otherwise with 1. A
// worker has no API, so this program checks the worker's metrics port instead. A worker becomes healthy when it has
// followed the chain.
const { SOTTO_ROLE = 'api,worker', SOTTO_PORT = '8080', SOTTO_METRICS_PORT = '9464' } = process.env

const place = SOTTO_ROLE.includes('api') ? `${SOTTO_PORT}/livez` : `${SOTTO_METRICS_PORT}/readyz`
const url = `http://127.0.0.1:${place}`

try {
  // The timeout is shorter than Docker's time limit for the whole check.
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(4_000) })
  if (!ok) console.error(`${url} answered ${status}`)
  process.exitCode = ok ? 0 : 1
} catch (error) {
  console.error(`${url} does not answer: ${error.message}`)
  process.exitCode = 1
}
