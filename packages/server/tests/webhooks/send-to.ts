import { httpSender } from '../../src/adapters/webhooks/http-sender.ts'

// Sends one message to the URL in the arguments, and prints the outcome. The URL's host name resolves to this machine.
const [url = ''] = process.argv.slice(2)
const sender = httpSender({ allowsLoopback: true, resolve: async () => ['127.0.0.1'] })
const sent = await sender.send({
  ...{ url, id: 'evt_x', timestampSeconds: 1, body: '{}' },
  secrets: [new Uint8Array(32)],
})
console.log(JSON.stringify(sent))
