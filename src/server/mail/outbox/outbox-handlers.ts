import { sql } from 'kysely'
import type { outbox as contract } from '#contract/mail/outbox/outbox.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { coverSecrets, openMail } from './open-mail.ts'
import { listMails, shownMail } from './outbox-list.ts'
import type { Outbox } from './outbox.ts'

/**
 * Lets somebody read the words of a mail, and notes it; throws when they may not. `userId` is whom the mail is for,
 * null where it is for nobody who signs in.
 */
export type AdmitReader = (
  context: { db: Database; actor: Member },
  mail: { id: string; userId: string | null },
) => Promise<void>

/** The outbox of the customer acted in. Whoever reaches one organization sees the mails of its people. */
export function outboxHandlers(outbox: Outbox, admitReader: AdmitReader): Handlers<typeof contract> {
  return {
    list: ({ db, actor, input }) => listMails(db, actor, input),

    async get({ db, input }) {
      const mail = await openMail(db, outbox, input)
      return { ...mail, text: mail.hasSecret ? coverSecrets(mail.text) : mail.text }
    },

    async reveal({ db, actor, input }) {
      const mail = await openMail(db, outbox, input)
      await admitReader({ db, actor }, mail)
      return mail
    },

    async sendAgain({ db, actor, input }) {
      await refuseAgain(db, input.id)
      if (!(await outbox.isSending(db, actor.customerId))) {
        throw conflict(
          'There is no mail server to send it with. Make an email handler that sends the default, or set FORECOURT_SMTP_URL and FORECOURT_MAIL_FROM.',
        )
      }
      // Its attempts start anew, or one that was given up would be given up again at once.
      const again = await db
        .updateTable('outboxMails')
        .set({ state: 'waiting', attempts: 0, error: null, nextAttemptAt: sql`app_now()` })
        .where('id', '=', input.id)
        .returning(shownMail)
        .executeTakeFirstOrThrow()
      outbox.nudge()
      return again
    },
  }
}

type Again = { state: string; isBeingSent: boolean; hasExpired: boolean; isElsewhere: boolean }

/**
 * Holds the mail, and refuses what must not go out again.
 * @throws Failure 404, or 409 with the reason.
 */
async function refuseAgain(db: Database, id: string): Promise<void> {
  const { rows } = await sql<Again>`
    select m.state,
      -- Claimed, and nothing heard of it yet: what became of an attempt leaves an error behind.
      m.state = 'waiting' and m.attempts > 0 and m.error is null and m.next_attempt_at > app_now() as is_being_sent,
      coalesce(m.expires_at <= app_now(), false) as has_expired,
      m.has_secret and m.user_id is not null and not exists (select from users u
        where u.customer_id = m.customer_id and u.id = m.user_id and u.email_key = lower(m.to_email)) as is_elsewhere
    from outbox_mails m where m.id = ${id} for update of m`.execute(db)
  const [mail] = rows
  if (mail === undefined) throw notFound('Mail')
  if (mail.state === 'sent') throw conflict('This mail was sent already.')
  if (mail.isBeingSent) throw conflict('This mail is being sent right now.')
  if (mail.hasExpired) throw conflict('Its link has expired. Send the person a new one.')
  if (mail.isElsewhere) {
    throw conflict('This is not the e-mail address of the person any more. Send them a new mail.')
  }
}
