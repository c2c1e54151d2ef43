/** True if the approved licences satisfy a licence expression. @throws if it isn't an SPDX expression. */
declare module 'spdx-satisfies' {
  export default function satisfies(expression: string, approved: string[]): boolean
}
