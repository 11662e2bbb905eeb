import { isbot } from 'isbot'

/** `suspect`: nothing shows that a person clicked, and nothing that none did. */
export type ClickKind = 'person' | 'suspect' | 'bot'

/** What a request says about itself. Header names are lowercase. */
export type ClickRequest = Readonly<{
  method: string
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
}>

/**
 * What a click looks like before any page answers for it. Scanners send the user agents of browsers, so that one never makes a
 * person: it only turns what is suspect into a bot. On the product's own pages a person is known by using the page
 * (`click-mark.ts`). Other sites tell nothing, so the headers that browsers send when someone navigates have to do.
 */
export function classifyClick({ method, headers }: ClickRequest, leads: { toOwnPage: boolean }): ClickKind {
  const of = (name: string) => String(headers[name] ?? '').toLowerCase()
  // Mail scanners and chats look at a link before anyone opens it, and browsers fetch what may be opened next.
  const isAhead = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview/.test(of(name)),
  )
  if (method !== 'GET' || isAhead) return 'bot'
  if (isbot(of('user-agent'))) return 'bot'
  const isNavigation = of('sec-fetch-mode') === 'navigate' && of('sec-fetch-dest') === 'document'
  return isNavigation && !leads.toOwnPage ? 'person' : 'suspect'
}
