import { sql } from 'kysely'
import { type emailHandlers, missingFields } from '#contract/mail/handlers/handlers.ts'
import type { Output, Received } from '#contract/endpoint.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import { sentFields } from '#server/http/sent-fields.ts'
import type { Handlers } from '#server/http/serve.ts'
import { handlerColumns, exposesPassword, secretContext, type TransportOptions } from './handler-row.ts'
import { listHandlers, readHandler } from './handler-list.ts'
import { type CountTest, makeTests } from './handler-tests.ts'
import { requireMailAdministrator } from '../require-mail-administrator.ts'

/** What changes once the customer's emails are sent. */
export type EffectOf = (db: Database, actor: Member) => Promise<Output<typeof emailHandlers.effect>>

type HandlerInput = Received<typeof emailHandlers.add>['emailHandler']
type Changes = Received<typeof emailHandlers.update>['emailHandler']

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
  const { sendTest, prove } = makeTests(options, countTest)
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
      await requireSeen(db, input, {
        table: 'emailHandlers',
        noun: 'email handler',
        read: () => readHandler(db, input.id, secrets),
      })
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
