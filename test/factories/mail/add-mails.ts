import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { fresh, freshCode } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'

export type MailFactories = {
  /** An email that failed, to a recipient who is not a user. */
  addMail: (subject?: string) => Promise<string>
  /** An email handler that is not the default. */
  addHandler: (kind?: 'outbox' | 'postmark') => Promise<string>
  /** A suppressed email address. */
  addSuppressed: (email?: string) => Promise<string>
}

export function mailFactories({ forecourt, customerId, organizationId, call, insert }: Place): MailFactories {
  const { owner, outbox } = forecourt
  return {
    // The product writes only emails with fixed texts to users, and an email fails only after a day of attempts.
    async addMail(subject = fresh('Subject')) {
      const id = await outbox.put(
        kyselyOver((query) => owner.query(statement(query))),
        {
          customerId,
          organizationId,
          userId: null,
          toName: 'Somebody',
          toEmail: 'somebody@people.example',
          subject,
          text: 'Hello.',
          hasSecret: false,
        },
      )
      await owner.query(`update outbox_mails set state = 'failed' where id = $1`, [id])
      return id
    },
    async addHandler(kind = 'outbox') {
      const { id } = await call(emailHandlers.add, {
        emailHandler: {
          name: fresh('Handler'),
          kind,
          fromEmail: 'us@people.example',
          ...(kind === 'postmark' && { secret: 'a server token' }),
        },
      })
      return id
    },
    // Only Postmark reports bounces. mail-events.test.ts sends its reports.
    addSuppressed: (email = `${freshCode('gone.')}@people.example`) =>
      insert(
        `insert into suppressed_addresses (customer_id, email, reason) values ($1, $2, 'bounced') returning id`,
        [customerId, email],
      ),
  }
}
