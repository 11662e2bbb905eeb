import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type emailHandlers, missingFields } from '#contract/mail/handlers/handlers.ts'
import type { Output, Received } from '#contract/endpoint.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale, tooMany } from '#server/http/failure.ts'
import { sentFields } from '#server/http/sent-fields.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Outcome } from '#server/outside/smtp.ts'
import {
  handlerColumns,
  exposesPassword,
  type HandlerRow,
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
/** What changes once the customer's emails are sent. */
export type EffectOf = (db: Database, actor: Member) => Promise<Output<typeof emailHandlers.effect>>

type HandlerInput = Received<typeof emailHandlers.add>['emailHandler']
type Changes = Received<typeof emailHandlers.update>['emailHandler']
type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/**
 * A customer's email handlers. Changing one could expose every email, including password links, so it requires customer
 * reach and permission to administer users.
 */
export function emailHandlerHandlers(
  options: TransportOptions,
  countTest: CountTest,
  effectOf: EffectOf,
): Handlers<typeof emailHandlers> {
  const { secrets } = options
  return {
    list: ({ db, actor, input }) => listHandlers(db, actor, { input, secrets }),

    get: ({ db, input }) => readHandler(db, input.id, secrets),

    async add({ inTenant, actor, input }) {
      requireMailAdministrator(actor, 'Email handlers')
      const { secret, ...fields } = input.emailHandler
      refuseInvalid({ ...fields, hasSecret: isGiven(secret) })
      const stored = { ...columnsOf(fields), secretSealed: sealed(actor, columnsOf(fields), secret) }
      const isProved = fields.isDefault && (await prove(stored, { actor, inTenant }))
      return inTenant(async (db) => {
        if (fields.isDefault) await clearDefault(db, actor)
        const { id } = await explainRefusal(
          db
            .insertInto('emailHandlers')
            .values({ ...stored, ...(isProved && { provedAt: sql`app_now()` }) })
            .returning('id')
            .executeTakeFirstOrThrow(),
        )
        return readHandler(db, id, secrets)
      })
    },

    async update({ inTenant, actor, input }) {
      requireMailAdministrator(actor, 'Email handlers')
      const planned = await inTenant((db) => planUpdate(db, actor, input.emailHandler))
      const isProved = planned.needsProof && (await prove(planned.stored, { actor, inTenant }))
      return inTenant(async (db) => {
        // The test email takes a while: the handler may have changed meanwhile.
        const { id, current, stored, isSameWay } = await planUpdate(db, actor, {
          ...input.emailHandler,
          version: planned.current.version,
        })
        if (stored.isDefault && !current.isDefault) await clearDefault(db, actor)
        await explainRefusal(
          db
            .updateTable('emailHandlers')
            .set(stored)
            .$if(isProved || !isSameWay, (change) =>
              change.set({ provedAt: isProved ? sql`app_now()` : null }),
            )
            .where('id', '=', id)
            .execute(),
        )
        return readHandler(db, id, secrets)
      })
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

    effect: ({ db, actor }) => effectOf(db, actor),

    async test({ actor, inTenant, input }) {
      requireMailAdministrator(actor, 'Email handlers')
      const handler = await inTenant((db) =>
        db
          .selectFrom('emailHandlers as h')
          .innerJoin('customers as c', 'c.id', 'h.customerId')
          .select(handlerColumns.map((name) => `h.${name}` as const))
          .select(['h.name', 'h.version', 'c.isPlatform'])
          .where('h.id', '=', input.id)
          .executeTakeFirst(),
      )
      if (handler === undefined) throw notFound('Email handler')
      const outcome = await sendTest(handler, actor, input.toEmail)
      if (outcome === null) {
        return { isSent: false, message: "This email handler doesn't send emails. They stay in the outbox." }
      }
      if (outcome.kind !== 'sent') return { isSent: false, message: outcome.reason }
      await inTenant((db) =>
        db
          .updateTable('emailHandlers')
          .set({ provedAt: sql`app_now()` })
          .where('id', '=', handler.id)
          .where('version', '=', handler.version)
          .execute(),
      )
      const number = outcome.messageId === undefined ? '' : ` Message ID: ${outcome.messageId}.`
      return { isSent: true, message: `The mail server accepted the email.${number}` }
    },
  }

  /** What an update would store. @throws Failure 404, 409 or 400 */
  async function planUpdate(db: Database, actor: Member, { id, version, secret, ...changes }: Changes) {
    await sql`select 1 from email_handlers where id = ${id} for update`.execute(db)
    const current = await readHandler(db, id, secrets)
    if (version !== undefined && version !== current.version) throw stale('This email handler', current)
    const next: HandlerInput = { ...current, ...sentFields(changes) }
    const [columns, before] = [columnsOf(next), columnsOf(current)]
    const { customerId } = actor
    const isElsewhere = secretContext({ ...columns, customerId }) !== secretContext({ ...before, customerId })
    const isNew = isGiven(secret)
    if (isElsewhere && current.hasSecret && !isNew && needsSecret(next)) {
      throw refused('Some fields are invalid.', {
        'emailHandler.secret': 'Enter the password again. The saved one is for a different server or user.',
      })
    }
    const keeps = current.hasSecret && !isElsewhere
    refuseInvalid({ ...next, hasSecret: isNew || keeps })
    const { secretSealed } = await db
      .selectFrom('emailHandlers')
      .select('secretSealed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const isSameWay =
      !isElsewhere &&
      !isNew &&
      columns.fromEmail === before.fromEmail &&
      columns.postmarkStream === before.postmarkStream
    return {
      id,
      current,
      isSameWay,
      stored: {
        ...columns,
        secretSealed: isNew || !keeps ? sealed(actor, columns, secret) : secretSealed,
      },
      needsProof: next.isDefault && (!isSameWay || (!current.isDefault && current.provedAt === null)),
    }
  }

  /**
   * Sends a test email to the user who makes a handler the default one, so that one that can't send never becomes it.
   * @returns false for one that keeps all emails. @throws Failure 400 with the response of the mail server
   */
  async function prove(
    stored: ReturnType<typeof columnsOf> & { secretSealed: string | null },
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
    const { count, seconds } = await countTest(actor.customerId)
    if (count > TESTS_AN_HOUR) {
      throw tooMany(`The limit is ${TESTS_AN_HOUR} test emails an hour. Try again later.`, seconds)
    }
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
