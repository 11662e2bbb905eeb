import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type emailHandlers, missingFields } from '#contract/mail/handlers/handlers.ts'
import type { Received } from '#contract/endpoint.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale, tooMany } from '#server/http/failure.ts'
import { sentFields } from '#server/http/sent-fields.ts'
import type { Handlers } from '#server/http/serve.ts'
import {
  handlerColumns,
  exposesPassword,
  openHandler,
  secretContext,
  type TransportOptions,
} from './handler-row.ts'
import { listHandlers, readHandler } from './handler-list.ts'
import { requireMailAdministrator } from '../require-mail-administrator.ts'

/** The most test emails a customer can send in an hour. */
export const TESTS_AN_HOUR = 10
/** Counts a test email of a customer. @returns the count this hour, and the seconds until the next hour. */
export type CountTest = (customerId: string) => Promise<{ count: number; seconds: number }>

type HandlerInput = Received<typeof emailHandlers.add>['emailHandler']

/**
 * A customer's email handlers. Changing one could expose every email, including password links, so it requires customer
 * reach and permission to administer users.
 */
export function emailHandlerHandlers(
  options: TransportOptions,
  countTest: CountTest,
): Handlers<typeof emailHandlers> {
  const { secrets } = options
  return {
    list: ({ db, actor, input }) => listHandlers(db, actor, { input, secrets }),

    get: ({ db, input }) => readHandler(db, input.id, secrets),

    async add({ db, actor, input }) {
      requireMailAdministrator(actor, 'Email handlers')
      const { secret, ...fields } = input.emailHandler
      refuseInvalid({ ...fields, hasSecret: isGiven(secret) })
      if (fields.isDefault) await clearDefault(db, actor)
      const columns = columnsOf(fields)
      const { id } = await explainRefusal(
        db
          .insertInto('emailHandlers')
          .values({ ...columns, secretSealed: sealed(actor, columns, secret) })
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
      return readHandler(db, id, secrets)
    },

    async update({ db, actor, input }) {
      requireMailAdministrator(actor, 'Email handlers')
      const { id, version, secret, ...changes } = input.emailHandler
      await sql`select 1 from email_handlers where id = ${id} for update`.execute(db)
      const current = await readHandler(db, id, secrets)
      if (version !== undefined && version !== current.version) throw stale('This email handler', current)
      const next: HandlerInput = { ...current, ...sentFields(changes) }
      const columns = columnsOf(next)
      const isElsewhere =
        secretContext({ ...columns, customerId: actor.customerId }) !==
        secretContext({ ...columnsOf(current), customerId: actor.customerId })
      const isNew = isGiven(secret)
      if (isElsewhere && current.hasSecret && !isNew && needsSecret(next)) {
        throw refused('Some fields are invalid.', {
          'emailHandler.secret': 'Enter the password again. The saved one is for a different server or user.',
        })
      }
      const keeps = current.hasSecret && !isElsewhere
      refuseInvalid({ ...next, hasSecret: isNew || keeps })
      if (next.isDefault && !current.isDefault) await clearDefault(db, actor)
      await explainRefusal(
        db
          .updateTable('emailHandlers')
          .set(columns)
          .$if(isNew || !keeps, (change) => change.set({ secretSealed: sealed(actor, columns, secret) }))
          .where('id', '=', id)
          .execute(),
      )
      return readHandler(db, id, secrets)
    },

    async remove({ db, actor, input }) {
      requireMailAdministrator(actor, 'Email handlers')
      const removed = await db
        .deleteFrom('emailHandlers')
        .where('id', '=', input.id)
        .returning('id')
        .executeTakeFirst()
      if (removed === undefined) throw notFound('Email handler')
      return null
    },

    async test({ actor, inTenant, input }) {
      requireMailAdministrator(actor, 'Email handlers')
      const handler = await inTenant((db) =>
        db
          .selectFrom('emailHandlers as h')
          .innerJoin('customers as c', 'c.id', 'h.customerId')
          .select(handlerColumns.map((name) => `h.${name}` as const))
          .select(['h.name', 'c.isPlatform'])
          .where('h.id', '=', input.id)
          .executeTakeFirst(),
      )
      if (handler === undefined) throw notFound('Email handler')
      const { count, seconds } = await countTest(actor.customerId)
      if (count > TESTS_AN_HOUR) {
        throw tooMany(`The limit is ${TESTS_AN_HOUR} test emails an hour. Try again later.`, seconds)
      }
      const transport = openHandler(handler, options)
      if (transport === null) {
        return { isSent: false, message: "This email handler doesn't send emails. They stay in the outbox." }
      }
      const outcome = await transport.send({
        key: randomUUID(),
        toName: '',
        toEmail: input.toEmail,
        subject: `Test email from ${handler.name}`,
        text: `This email was sent to test the email handler ${handler.name}.\n\nRequested by ${actor.fullName}.`,
      })
      if (outcome.kind !== 'sent') return { isSent: false, message: outcome.reason }
      const number = outcome.messageId === undefined ? '' : ` Message ID: ${outcome.messageId}.`
      return { isSent: true, message: `The mail server accepted the email.${number}` }
    },
  }

  function sealed(
    { customerId }: Member,
    columns: ReturnType<typeof columnsOf>,
    secret: string | null | undefined,
  ): string | null {
    return isGiven(secret) ? secrets.seal(secret, secretContext({ ...columns, customerId })) : null
  }
}

const isGiven = (secret: string | null | undefined): secret is string =>
  secret !== null && secret !== undefined

const needsSecret = ({ kind, userName }: Pick<HandlerInput, 'kind' | 'userName'>): boolean =>
  kind === 'postmark' || (kind === 'smtp' && userName !== null)

/** @throws Failure 400 with an error message for each field that conflicts with the others. */
function refuseInvalid(handler: HandlerInput & { hasSecret: boolean }): void {
  const errors: Record<string, string> = missingFields(handler)
  if (needsSecret(handler) && !handler.hasSecret) {
    errors.secret = handler.kind === 'postmark' ? 'Server token is required.' : 'Password is required.'
  }
  if (exposesPassword(handler))
    errors.security = 'A password requires an encrypted connection. Choose TLS or STARTTLS.'
  const fields = Object.entries(errors).map(([name, sentence]) => [`emailHandler.${name}`, sentence] as const)
  if (fields.length > 0) throw refused('Some fields are invalid.', Object.fromEntries(fields))
}

/** The columns to store, with those of other kinds cleared. */
function columnsOf(given: Omit<HandlerInput, 'secret'>) {
  const { name, kind, fromName, fromEmail, replyTo, host, port, security, userName, stream, isDefault } =
    given
  const isSmtp = kind === 'smtp'
  return {
    name,
    kind,
    fromName,
    fromEmail,
    replyTo,
    isDefault,
    smtpHost: isSmtp ? host : null,
    smtpPort: isSmtp ? port : null,
    smtpSecurity: isSmtp ? security : ('starttls' as const),
    smtpUser: isSmtp ? userName : null,
    postmarkStream: kind === 'postmark' ? stream : null,
  }
}

/** Clears the current default, because there can be only one. */
async function clearDefault(db: Database, { customerId }: Member): Promise<void> {
  // Serializes concurrent changes, so that the second sees the first one's default.
  await acquireAdvisoryLock(db, `default email handler ${customerId}`)
  await db
    .updateTable('emailHandlers')
    .set({ isDefault: false })
    .where('customerId', '=', customerId)
    .where('isDefault', '=', true)
    .execute()
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another email handler already has this name.', {
        'emailHandler.name': 'This name is already in use.',
      })
    }
    throw error
  }
}
