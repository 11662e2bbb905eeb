import { sql } from 'kysely'
import type { outbox as contract } from '#contract/mail/outbox/outbox.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { maskSecrets, openMail } from './open-mail.ts'
import { isMailFor, listMails, shownMail } from './outbox-list.ts'
import type { Outbox } from './outbox.ts'

/**
 * Records that the actor reads an email; throws if they aren't allowed to. `userId` is the recipient, null if the recipient
 * isn't a user.
 */
export type AuthorizeReader = (
  context: { db: Database; actor: Member },
  mail: { id: string; userId: string | null },
) => Promise<void>

/** The outbox of the current customer. Callers with organization reach see the emails of its users. */
export function outboxHandlers(outbox: Outbox, authorizeReader: AuthorizeReader): Handlers<typeof contract> {
  return {
    list: ({ db, actor, input }) => listMails(db, actor, input),

    async get({ db, actor, input }) {
      await requireMail(db, actor, input.id)
      const mail = await openMail(db, outbox, input)
      return { ...mail, text: mail.hasSecret ? maskSecrets(mail.text) : mail.text }
    },

    async reveal({ db, actor, input }) {
      await requireMail(db, actor, input.id)
      const mail = await openMail(db, outbox, input)
      await authorizeReader({ db, actor }, mail)
      return mail
    },

    async sendAgain({ db, actor, input }) {
      await requireMail(db, actor, input.id)
      await refuseAgain(db, input.id)
      if (!(await outbox.isSending(db, actor.customerId))) {
        throw conflict("Emails aren't going out. Add an email handler to send them.")
      }
      // Reset the attempts, or a failed email would fail again immediately.
      const again = await db
        .updateTable('outboxMails')
        .set({ state: 'waiting', attempts: 0, error: null, nextAttemptAt: sql`app_now()` })
        .where('id', '=', input.id)
        .returning(shownMail)
        .executeTakeFirstOrThrow()
      outbox.wake()
      return again
    },
  }
}

/** @throws Failure 404 if the email doesn't exist, or the user may not know of it */
async function requireMail(db: Database, actor: Member, id: string): Promise<void> {
  const { rows } = await sql`select from outbox_mails m where m.id = ${id} and ${isMailFor(actor)}`.execute(
    db,
  )
  if (rows.length === 0) throw notFound('Email')
}

type Again = {
  state: string
  isBeingSent: boolean
  hasExpired: boolean
  isElsewhere: boolean
  isOnce: boolean
}

/**
 * Locks the email, and rejects what must not be sent again.
 * @throws Failure 404, or 409 with the reason.
 */
async function refuseAgain(db: Database, id: string): Promise<void> {
  const { rows } = await sql<Again>`
    select m.state, m.is_once,
      -- Claimed without an outcome yet: a failed attempt leaves an error.
      m.state = 'waiting' and m.attempts > 0 and m.error is null and m.next_attempt_at > app_now() as is_being_sent,
      coalesce(m.expires_at <= app_now(), false) as has_expired,
      m.has_secret and m.user_id is not null and not exists (select from users u
        where u.customer_id = m.customer_id and u.id = m.user_id and u.email_key = lower(m.to_email)) as is_elsewhere
    from outbox_mails m where m.id = ${id} for update of m`.execute(db)
  const [mail] = rows
  if (mail === undefined) throw notFound('Email')
  if (mail.state === 'sent') throw conflict('This email was already sent.')
  if (mail.isOnce)
    throw conflict("Emails of a campaign aren't sent again, because they may have arrived or be out of date.")
  if (mail.isBeingSent) throw conflict('This email is being sent right now.')
  if (mail.hasExpired) throw conflict('Its link has expired. Send the user a new one.')
  if (mail.isElsewhere) {
    throw conflict("The user's email address has changed. Send a new email.")
  }
}
