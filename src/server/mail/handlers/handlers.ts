import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type emailHandlers, missingOf } from '#contract/mail/handlers/handlers.ts'
import type { Received } from '#contract/endpoint.ts'
import { acquireAdvisoryLock } from '#server/database/hold-name.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale, tooMany } from '#server/http/failure.ts'
import { sentFields } from '#server/http/sent-fields.ts'
import type { Handlers } from '#server/http/serve.ts'
import { handlerColumns, isInTheOpen, openHandler, secretContext, type Ways } from './handler-row.ts'
import { listHandlers, readHandler } from './handler-list.ts'
import { requireMailAdministrator } from '../refuse-narrow.ts'

/** How many test mails a customer may send in an hour. */
export const TESTS_AN_HOUR = 10
/** Counts one test of a customer. @returns how many there were this hour, and the seconds until the next hour. */
export type CountTest = (customerId: string) => Promise<{ count: number; seconds: number }>

type HandlerInput = Received<typeof emailHandlers.add>['emailHandler']

/**
 * How a customer's mails leave. Whoever sets that could read every mail on its way, links to passwords too: so it takes
 * the reach of the whole customer and the right to administer its people besides.
 */
export function emailHandlerHandlers(ways: Ways, countTest: CountTest): Handlers<typeof emailHandlers> {
  const { secrets } = ways
  return {
    list: ({ db, actor, input }) => listHandlers(db, actor, { input, secrets }),

    get: ({ db, input }) => readHandler(db, input.id, secrets),

    async add({ db, actor, input }) {
      requireMailAdministrator(actor, 'Email handlers')
      const { secret, ...given } = input.emailHandler
      refuseWrong({ ...given, hasSecret: isGiven(secret) })
      if (given.isDefault) await leaveDefault(db, actor)
      const columns = columnsOf(given)
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
      const wanted: HandlerInput = { ...current, ...sentFields(changes) }
      const columns = columnsOf(wanted)
      const isElsewhere =
        secretContext({ ...columns, customerId: actor.customerId }) !==
        secretContext({ ...columnsOf(current), customerId: actor.customerId })
      const isNew = isGiven(secret)
      if (isElsewhere && current.hasSecret && !isNew && needsSecret(wanted)) {
        throw refused('Some fields are not right.', {
          'emailHandler.secret': 'Give it again: the one that is kept was given for another server or user.',
        })
      }
      const keeps = current.hasSecret && !isElsewhere
      refuseWrong({ ...wanted, hasSecret: isNew || keeps })
      if (wanted.isDefault && !current.isDefault) await leaveDefault(db, actor)
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
        throw tooMany(`${TESTS_AN_HOUR} test mails an hour are enough. Try again later.`, seconds)
      }
      const transport = openHandler(handler, ways)
      if (transport === null) {
        return { isSent: false, said: 'This email handler sends nothing: mails stay in the outbox.' }
      }
      const outcome = await transport.send({
        key: randomUUID(),
        toName: '',
        toEmail: input.toEmail,
        subject: `Test mail of ${handler.name}`,
        text: `This mail was sent to test the email handler ${handler.name}.\n\n${actor.fullName} asked for it.`,
      })
      if (outcome.kind !== 'sent') return { isSent: false, said: outcome.reason }
      const number = outcome.messageId === undefined ? '' : ` Its number there is ${outcome.messageId}.`
      return { isSent: true, said: `The mail was taken.${number}` }
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

/** @throws Failure 400 with a sentence for each field that does not go with the others. */
function refuseWrong(handler: HandlerInput & { hasSecret: boolean }): void {
  const wrong: Record<string, string> = missingOf(handler)
  if (needsSecret(handler) && !handler.hasSecret) {
    wrong.secret = handler.kind === 'postmark' ? 'Server token is required.' : 'Password is required.'
  }
  if (isInTheOpen(handler))
    wrong.security = 'A password needs a protected connection. Choose TLS or STARTTLS.'
  const fields = Object.entries(wrong).map(([name, sentence]) => [`emailHandler.${name}`, sentence] as const)
  if (fields.length > 0) throw refused('Some fields are not right.', Object.fromEntries(fields))
}

/** What does not belong to the kind is not kept. */
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

/** There is one default, so that another one steps back first. */
async function leaveDefault(db: Database, { customerId }: Member): Promise<void> {
  // One at a time: of two that are chosen at once the second finds the first.
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
