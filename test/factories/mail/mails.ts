import type { TestApp } from '#test/app.ts'

export type SeenMail = { id: string; toEmail: string; subject: string; text: string }

/** The emails to a user with their text, oldest first, read directly from the database. */
export async function mailsTo({ owner, outbox }: TestApp, { id }: { id: string }): Promise<SeenMail[]> {
  const { rows } = await owner.query<{
    id: string
    customer_id: string
    to_email: string
    subject: string
    text_sealed: string
  }>('select * from outbox_mails where user_id = $1 order by id', [id])
  return rows.map((row) => ({
    id: row.id,
    toEmail: row.to_email,
    subject: row.subject,
    text: outbox.open({ customerId: row.customer_id, toEmail: row.to_email, textSealed: row.text_sealed }),
  }))
}

/** The word of the link in a mail. */
export const wordIn = (mail: SeenMail | undefined): string => /#(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''

/** The audit log events about a user, in order. */
export async function eventsOf({ owner }: TestApp, person: { id: string }): Promise<string[]> {
  const { rows } = await owner.query<{ event: string }>(
    `select after ->> 'event' as event from audit_log where table_name = 'users' and row_id = $1
      and operation = 'event' order by id`,
    [person.id],
  )
  return rows.map(({ event }) => event)
}
