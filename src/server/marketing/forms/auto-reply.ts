import type { Kysely } from 'kysely'
import { senderOf } from '#contract/marketing/forms/lead-fields.ts'
import type { DB } from '#server/database/schema.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { PublicForm, Receiver } from './public-forms.ts'
import type { AskedVehicle } from './save-submission.ts'

/** A submission that was received and not sent before. */
export type Answered = Readonly<{
  form: PublicForm
  receiver: Receiver
  vehicle: AskedVehicle | null
  answers: Readonly<Record<string, unknown>>
}>

/**
 * Queues the form's automatic reply to the sender, if the form has one and the sender gave an email address. It confirms what
 * was sent and never contains what was typed but the name, so that no one can send text to others through a form.
 */
export async function sendAutomaticReply(
  { iam, put }: { iam: Kysely<DB>; put: Outbox['put'] },
  { form, receiver, vehicle, answers }: Answered,
): Promise<void> {
  const { name, email } = senderOf(answers, form.leadFields)
  if (email === null || form.replySubject === null || form.replyText === null) return
  const words: Readonly<Record<string, string>> = {
    // A name with a link in it is no name.
    name: name === null || /[:/@]|www\./i.test(name) ? '' : name.slice(0, 60),
    vehicle: vehicle?.title ?? '',
    seller: receiver.organizationName,
    phone: receiver.phone ?? '',
  }
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole)
  await put(iam, {
    customerId: form.customerId,
    organizationId: receiver.organizationId,
    userId: null,
    toName: name ?? email,
    toEmail: email,
    subject: fill(form.replySubject).replaceAll(/\s+/g, ' ').trim(),
    text: `${fill(form.replyText)}\n`,
    hasSecret: false,
  })
}
