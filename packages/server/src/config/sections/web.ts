import { setting } from '../setting.ts'
import { text, webUrl } from '../value-kinds.ts'

export const webSettings = {
  WEB_API_KEY: setting(text.optional(), {
    meaning:
      "the API key of the send page, preferably of a separate account; without one there is no page. It stays in this process: browsers use the page's own paths",
    example: 'sotto_live_',
    defaultText: 'none: no send page',
    secret: 'value',
  }),
  WEB_RPC_URL: setting(webUrl.optional(), {
    meaning:
      'a node that browsers query directly, whose address is public; it must allow requests from other origins',
    example: 'https://rpc.example.com/',
    defaultText: "none: browsers query this service's nodes through the page's relay",
  }),
  WEB_PAGES: setting(text.optional(), {
    meaning: 'the folder of the built pages, with `send` and `console` in it',
    example: '/opt/sotto/web',
    defaultText: 'the output folder of `npm run build -w @sotto/web`',
  }),
}
