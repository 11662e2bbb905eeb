import { randomUUID } from 'node:crypto'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { refused, tooMany } from '#server/http/failure.ts'
import type { Outcome } from '#server/outside/smtp.ts'
import { type HandlerRow, openHandler, type TransportOptions } from './handler-row.ts'

/** The most test emails a customer can send in an hour. */
const TESTS_AN_HOUR = 10
/** Counts a test email of a customer. @returns the count this hour, and the seconds until the next hour. */
export type CountTest = (customerId: string) => Promise<{ count: number; seconds: number }>

/** Counts a test email. @throws Failure 429 after ten an hour */
export async function requireTestsLeft(countTest: CountTest, { customerId }: Member): Promise<void> {
  const { count, seconds } = await countTest(customerId)
  if (count <= TESTS_AN_HOUR) return
  throw tooMany(`The limit is ${TESTS_AN_HOUR} test emails an hour. Try again later.`, seconds)
}

type StoredHandler = Omit<HandlerRow, 'customerId' | 'id' | 'isPlatform'> & { name: string }
type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/** Test emails, and the one that has to be accepted before a handler becomes the default. */
export function makeTests(options: TransportOptions, countTest: CountTest) {
  /**
   * Sends a test email to the user who makes a handler the default one, so that one that can't send never becomes it.
   * @returns false for one that keeps all emails. @throws Failure 400 with the response of the mail server
   */
  async function prove(
    stored: StoredHandler,
    { actor, inTenant }: { actor: Member; inTenant: InTenant },
  ): Promise<boolean> {
    if (stored.kind === 'outbox') return false
    const { customerId } = actor
    const known = await inTenant(async (db) => ({
      ...(await db
        .selectFrom('customers')
        .select('isPlatform')
        .where('id', '=', customerId)
        .executeTakeFirstOrThrow()),
      own: await db
        .selectFrom('users')
        .select('email')
        .where('customerId', '=', actor.userCustomerId)
        .where('id', '=', actor.userId)
        .executeTakeFirst(),
    }))
    const toEmail = known.own?.email || stored.fromEmail
    const handler = { ...stored, customerId, id: '0', isPlatform: known.isPlatform }
    const outcome = await sendTest(handler, actor, toEmail)
    if (outcome === null) return false
    if (outcome.kind !== 'sent') {
      throw refused('Some fields are invalid.', {
        'emailHandler.isDefault': `The test email to ${toEmail} wasn't accepted: ${outcome.reason} Correct the settings, or save the handler without making it the default.`,
      })
    }
    return true
  }

  /** @returns null if the handler keeps all emails. @throws Failure 429 after ten an hour */
  async function sendTest(
    handler: HandlerRow & { name: string },
    actor: Member,
    toEmail: string,
  ): Promise<Outcome | null> {
    await requireTestsLeft(countTest, actor)
    const transport = openHandler(handler, options)
    if (transport === null) return null
    return transport.send({
      key: randomUUID(),
      toName: '',
      toEmail,
      subject: `Test email from ${handler.name}`,
      text: `This email was sent to test the email handler ${handler.name}.\n\nRequested by ${actor.fullName}.`,
    })
  }

  return { sendTest, prove }
}
