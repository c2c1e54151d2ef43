import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { dateMistakes, portMistakes } from './check-mistakes.ts'

const LEAST = {
  SOTTO_RPC_URL: 'http://127.0.0.1:8899',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
}
const read = (more: object) => readConfig({ ...LEAST, ...more })
const namesOf = (mistakes: readonly { readonly name: string }[]) => mistakes.map(({ name }) => name)

it('the port of the metrics must differ from the port of the API in the same process', () => {
  const same = read({ SOTTO_METRICS_PORT: '8080' })
  expect(namesOf(portMistakes(same, ['api', 'worker']))).toEqual(['METRICS_PORT'])
  expect(portMistakes(same, ['worker'])).toEqual([])
  expect(portMistakes(read({ SOTTO_METRICS_PORT: '9464' }), ['api'])).toEqual([])
  expect(portMistakes(read({}), ['api'])).toEqual([])
  // Port 0 chooses a free port.
  expect(portMistakes(read({ SOTTO_PORT: '0', SOTTO_METRICS_PORT: '0' }), ['api'])).toEqual([])
})

it('security.txt must expire in the future, within a year', () => {
  const at = Date.parse('2027-01-10T00:00:00Z')
  const found = (expires: string) => {
    const contact = { SOTTO_SECURITY_CONTACT: 'mailto:security@example.com' }
    const mistakes = dateMistakes(read({ ...contact, SOTTO_SECURITY_EXPIRES: expires }), at)
    return mistakes.map(({ name, problem }) => `${name} ${problem}`)
  }
  expect(dateMistakes(read({}), at)).toEqual([])
  expect(found('2027-06-30T00:00:00Z')).toEqual([])
  expect(found('2027-01-10T00:00:00Z')[0]).toMatch(/^SECURITY_EXPIRES is in the past/)
  expect(found('2028-01-12T00:00:00Z')[0]).toMatch(/^SECURITY_EXPIRES is more than a year ahead/)
})
