/** The server or its database is being started again, or something in front of it can't reach it. */
const UNREACHABLE: ReadonlySet<number> = new Set([502, 503, 504])
/** A form that was closed meanwhile: its page shows what was typed. */
const GONE = 410

/**
 * What a form's page does with the answer to what it sent. `follow`: the form was received. `show`: the answer is the next page.
 * `sendAgain`: it wasn't received, and the server may receive it soon. `sayWhy`: nothing was received, so the form and what was typed into it stay.
 */
export function afterSending({
  status,
  isRedirected,
  hasForm,
}: {
  status: number
  isRedirected: boolean
  /** Whether the page of the answer contains a form. */
  hasForm: boolean
}): 'follow' | 'show' | 'sendAgain' | 'sayWhy' {
  if (isRedirected) return 'follow'
  if (UNREACHABLE.has(status)) return 'sendAgain'
  return hasForm || status < 400 || status === GONE ? 'show' : 'sayWhy'
}
