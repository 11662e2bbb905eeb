import type { AutomaticReason } from '#contract/leads/inbound/inbound-messages.ts'

/** The subjects that mail programs give to notices of their own, in the commonest languages. */
const AWAY =
  /^\s*(?:re:\s*)?(?:automatic reply|auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office(?: reply)?|automatische antwort|abwesenheitsnotiz|réponse automatique|respuesta automática)\s*(?::|$)/i
const UNDELIVERED =
  /^\s*(?:undeliver(?:able|ed)\b|delivery status notification|mail delivery (?:failed|failure|subsystem)|returned mail\b|failure notice|delivery (?:has )?failed)/i
const REPLY_HEADERS = ['x-autoreply', 'x-autorespond', 'x-auto-reply', 'x-autoreply-from', 'x-mail-autoreply']

/**
 * Why an email looks as if no person wrote it; null if nothing says so. RFC 3834, and what mail servers did before it. Also of a form or
 * portal that writes for a buyer.
 */
export function automaticReason(
  headers: ReadonlyMap<string, string>,
  { fromEmail, subject }: { fromEmail: string; subject: string | null },
): AutomaticReason | null {
  const has = (name: string, is: RegExp) => is.test(headers.get(name) ?? '')
  const isReport = has('content-type', /^multipart\/report\b/i) || headers.has('x-failed-recipients')
  if (/^(?:mailer-daemon|postmaster)@/.test(fromEmail) || headers.get('return-path') === '<>' || isReport)
    return 'bounce'
  if (headers.has('x-loop')) return 'loop'
  const submitted = headers.get('auto-submitted')?.toLowerCase() ?? 'no'
  // Websites and portals send inquiries this way, too: it is no answer to an email.
  if (/^auto-(?:generated|notified)/.test(submitted)) return 'generated'
  const isReply = REPLY_HEADERS.some((name) => headers.has(name)) || has('precedence', /^auto_reply$/i)
  if (!submitted.startsWith('no') || isReply || AWAY.test(subject ?? '')) return 'autoSubmitted'
  if (UNDELIVERED.test(subject ?? '')) return 'bounce'
  const isList = headers.has('list-id') || headers.has('list-unsubscribe')
  return isList || has('precedence', /^(?:bulk|junk|list)$/i) ? 'bulk' : null
}
