import { parseWhole } from '@sotto/protocol'
import { connect } from 'node:net'
import type { HttpStack } from './http-stack.ts'

/** Sends these bytes to the service. Returns everything that the service sends until the connection ends. */
export function answerTo({ baseUrl }: HttpStack, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl)
    let answer = ''
    const socket = connect({ host: hostname, port: parseWhole(port) }, () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (answer += text))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}
