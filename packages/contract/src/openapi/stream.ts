import { EVENT_STREAM } from '../event-stream.ts'
import type { Operation } from '../operations.ts'
import { StatusResponse } from '../schemas/status.ts'
import { headersNamed } from './headers.ts'
import type { Json } from './json.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import type { Place } from './schema-set.ts'

const DESCRIPTION = `Server-sent events: one \`status\` event now and one for each later status. An event's \`data\` is the record of GET status, and its \`id\` is the sequence number of the status: 1 \`awaiting_deposit\` or \`awaiting_signature\`, 2 \`deposited\` or \`expired\`, 3 \`delivering\`, 4 \`refunding\`, 5 \`delivered\` or \`refunded\`. The number of \`expired\` is 5 instead of 2 in two cases: for a signed payment, and for an order whose deposit a node had falsely reported. The stream may omit a status that lasted only briefly. The service sends comments to keep the connection alive. The stream ends after a final status, or after a few minutes; in the second case connect again with \`Last-Event-ID\`. Instead of using the stream, a client may poll GET status.`

const EXAMPLE =
  'id: 2\nevent: status\ndata: {"trackingId":"tr_0oQNhTtYkhHSGfbZw17yyQ","status":"deposited"}\n\n'

const LAST_EVENT_ID: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The last `id` received. The event with this id is sent again only if it is final.',
  schema: { type: 'string', pattern: '^[1-5]$' },
}

/** The document's description of the stream. */
export function streamObject(place: Place): Json {
  // The stream has the same parameters and errors as GET status.
  const status: Operation = {
    ...{ id: 'readStatus', method: 'GET', path: EVENT_STREAM.path, scope: EVENT_STREAM.scope },
    ...{ summary: '', response: StatusResponse, errors: ['ORDER_NOT_FOUND'] },
  }
  return {
    operationId: EVENT_STREAM.id,
    summary: "Streams an order's statuses until a final one.",
    description: DESCRIPTION,
    tags: ['transfer'],
    parameters: [...parametersOf(status, place), LAST_EVENT_ID],
    responses: {
      ...responsesOf(status, {}),
      '200': {
        description: 'Events until a final status.',
        headers: headersNamed(['X-Request-Id', 'RateLimit-Policy', 'RateLimit']),
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            examples: { deposited: { summary: 'The data is shortened here', value: EXAMPLE } },
          },
        },
      },
    },
  }
}
