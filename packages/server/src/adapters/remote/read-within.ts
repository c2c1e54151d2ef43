import { RemoteError } from './remote-error.ts'

/**
 * Reads the text of an answer's body. If the read ends early, the body's stream is closed.
 *
 * @throws RemoteError with the service's name and `_too_large` if the body has more bytes than `bytesMax`.
 */
export async function readWithin(
  service: string,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > bytesMax) throw new RemoteError(service, 'too_large')
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
