import { formTexts } from '#contract/marketing/forms/form-texts.ts'
import { senderOf } from '#contract/marketing/forms/lead-fields.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { noteAutomaticReply, refusesEmail } from '#server/leads/index.ts'
import type { Outbox } from '#server/mail/index.ts'
import { countReply } from './form-limits.ts'
import type { PublicForm, Receiver } from './public-forms.ts'
import type { AskedVehicle } from './save-submission.ts'

/** A submission that was received and not sent before. */
export type Answered = Readonly<{
  form: PublicForm
  receiver: Receiver
  vehicle: AskedVehicle | null
  answers: Readonly<Record<string, unknown>>
  language: string
  leadId: string
}>

/**
 * Queues the form's automatic reply to the sender, if the form has one and the sender gave an email address: at most one to a
 * recipient in 24 hours. It confirms what was sent and never contains what was typed but the name, so that no one can send text to others through a form. Runs in the
 * transaction that stores the submission: a reply is never sent for what isn't stored.
 */
export async function sendAutomaticReply(
  db: Database,
  put: Outbox['put'],
  { form, receiver, vehicle, answers, language, leadId }: Answered,
): Promise<void> {
  const { name, email } = senderOf(answers, form.leadFields)
  const { reply } = formTexts(form, language)
  if (email === null || reply.subject === null || reply.text === null) return
  if (await refusesEmail(db, leadId)) return
  // Who types in someone else's address sends them one email, not many.
  if (!(await countReply(db, form.id, email))) return
  const words: Readonly<Record<string, string>> = {
    // With a link, an amount or a phone number in it, it is no name.
    name: name === null || /[\d:/@$€£%!?]|www\./i.test(name) ? '' : name.slice(0, 60),
    vehicle: vehicle?.title ?? '',
    seller: receiver.organizationName,
    phone: receiver.phone ?? '',
  }
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole)
  const subject = fill(reply.subject).replaceAll(/\s+/g, ' ').trim()
  const text = fill(reply.text)
  const mailId = await put(db, {
    customerId: form.customerId,
    organizationId: receiver.organizationId,
    userId: null,
    toName: words['name'] || email,
    toEmail: email,
    subject,
    text: `${text}\n`,
    hasSecret: false,
    isAboutBuyer: true,
  })
  await noteAutomaticReply(db, leadId, { mailId, toEmail: email, subject, text })
}
