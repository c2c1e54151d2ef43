/** Whether a licence expression is met by what is approved. @throws where it is no SPDX expression. */
declare module 'spdx-satisfies' {
  export default function satisfies(expression: string, approved: string[]): boolean
}
