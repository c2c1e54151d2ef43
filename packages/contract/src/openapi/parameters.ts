import { EXAMPLES } from '../examples.ts'
import type { Operation } from '../operations.ts'
import { TrackingId } from '../schemas/scalars.ts'
import { DeliveryId, WebhookId } from '../schemas/webhooks.ts'
import type { Json } from './json.ts'
import type { Place } from './schema-set.ts'

const IDEMPOTENCY_HEADER: Json = {
  name: 'X-Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'One key for each order, reused only to retry that order: 1 to 255 printable ASCII characters. Without this header, the quoteId is used.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]{1,255}$' },
}

const IN_PATH: Readonly<
  Record<string, { readonly schema: typeof TrackingId; readonly description: string }>
> = {
  trackingId: { schema: TrackingId, description: "The order's `trackingId`." },
  webhookId: { schema: WebhookId, description: "The endpoint's `webhookId`." },
  deliveryId: {
    schema: DeliveryId,
    description: 'The `deliveryId` of the message, which is its `webhook-id`.',
  },
}

/** Path, query and header parameters of an operation. */
export function parametersOf(operation: Operation, place: Place): Json[] {
  const examples: Readonly<Record<string, string>> =
    EXAMPLES[operation.id as keyof typeof EXAMPLES].parameters ?? {}
  const inPath = [...operation.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => {
    const { schema = TrackingId, description = '' } = IN_PATH[name] ?? {}
    return { name, in: 'path', required: true, description, schema: place(schema) }
  })
  const query = operation.query === undefined ? {} : place(operation.query)
  const inQuery = Object.entries((query['properties'] ?? {}) as Record<string, Json>).map(
    ([name, schema]) => ({ name, in: 'query', required: false, schema }),
  )
  const inHeader = operation.takesKey ? [IDEMPOTENCY_HEADER] : []
  return [...inPath, ...inQuery, ...inHeader].map((parameter) => {
    const example = examples[parameter['name'] as string]
    return example === undefined ? parameter : { ...parameter, example }
  })
}
