import { setting } from '../setting.ts'
import { text, webUrl } from '../value-kinds.ts'

export const webSettings = {
  WEB_API_KEY: setting(text.optional(), {
    meaning:
      "the API key of the send page, preferably of a separate account; without it there is no send page. The key stays in this process: browsers use the page's own paths",
    example: 'sotto_live_',
    defaultText: 'none: no send page',
    secret: 'value',
  }),
  WEB_RPC_URL: setting(webUrl.optional(), {
    meaning:
      'the URL of a node that browsers query directly; everyone can see this URL, and the node must allow requests from other origins',
    example: 'https://rpc.example.com/',
    defaultText: "none: browsers query this service's nodes through the page's relay",
  }),
  WEB_PAGES: setting(text.optional(), {
    meaning: 'the folder of the built pages, which contains `send` and `console`',
    example: '/opt/sotto/web',
    defaultText: 'the output folder of `npm run build -w @sotto/web`',
  }),
}
