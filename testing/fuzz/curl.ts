import type { FuzzRequest } from './fuzz-request.ts'

const SHOWN = 4_000
const KEY = /sotto_(live|test)_[0-9A-Za-z]+_[0-9A-Za-z]+/g

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A curl command that repeats a request. It contains `$API_KEY` instead of each key. */
export function curlOf(baseUrl: string, request: FuzzRequest): string {
  const { method, target, headers, body } = request
  const to = target.startsWith('/')
    ? quoted(baseUrl + target)
    : `${baseUrl} --request-target ${quoted(target)}`
  const words = [
    `curl -i --path-as-is -X ${method} ${to}`,
    ...(request.hasHost === false ? ["-H 'host:'"] : []),
    ...headers.map(
      ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
  ]
  const line = words.join(' ').replaceAll(KEY, `'"$API_KEY"'`)
  if (body === undefined) return line
  const text = Buffer.from(body).toString()
  const isText = Buffer.from(text).equals(body) && !text.includes('\u0000')
  const isLong = body.length > SHOWN
  const data = isText
    ? `--data-binary ${quoted(text.slice(0, SHOWN).replaceAll(KEY, '$API_KEY'))}`
    : `--data-binary @<(echo ${Buffer.from(body.subarray(0, SHOWN)).toString('base64')} | base64 -d)`
  return `${line} ${data}${isLong ? ` # cut: ${body.length} bytes` : ''}`
}
