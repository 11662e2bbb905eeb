import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { HANDLER_LIST } from '#contract/mail/handlers/handler-list.ts'
import type { EmailHandler, emailHandlers } from '#contract/mail/handlers/handlers.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import type { Secrets } from '#server/secrets.ts'
import { eventsKey } from './handler-row.ts'

const column = (name: string) => ({ value: sql.ref(`h.${name}`) })

/** The email handlers of a customer. Users who can see one can see all. */
export const handlerSource: ListSource<keyof typeof HANDLER_LIST.fields> = {
  list: HANDLER_LIST,
  from: sql`email_handlers h`,
  within: (actor) => sql`h.customer_id = ${actor.customerId}`,
  id: sql`h.id`,
  title: sql`h.name`,
  fields: {
    name: { ...column('name'), order: sql`h.name_key`, isNeverNull: true },
    kind: column('kind'),
    fromEmail: { ...column('from_email'), isNeverNull: true },
    host: column('smtp_host'),
    isDefault: column('is_default'),
    updatedAt: { ...column('updated_at'), isNeverNull: true },
    updatedBy: column('updated_by'),
  },
  search: (text) =>
    contains(
      ['name', 'from_email', 'from_name', 'smtp_host'].map((name) => sql.ref(`h.${name}`)),
      text,
    ),
}

/** One page of the customer's email handlers. */
export async function listHandlers(
  db: Database,
  actor: Member,
  { input, secrets }: { input: Received<typeof emailHandlers.list>; secrets: Secrets },
) {
  const { ids, ...counts } = await readPage(db, actor, handlerSource, input)
  const rows = await selectHandlers(db).where(isOneOf(handlerSource, ids)).execute()
  return { ...counts, results: inOrder(ids, rows).map((row) => shown(row, secrets)) }
}

/** @throws Failure 404 when the customer has no such handler. */
export async function readHandler(db: Database, id: string, secrets: Secrets): Promise<EmailHandler> {
  const row = await selectHandlers(db).where('h.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Email handler')
  return shown(row, secrets)
}

function selectHandlers(db: Database) {
  return db
    .selectFrom('emailHandlers as h')
    .select([
      'h.customerId',
      'h.id',
      'h.name',
      'h.kind',
      'h.fromName',
      'h.fromEmail',
      'h.replyTo',
      'h.smtpHost as host',
      'h.smtpPort as port',
      'h.smtpSecurity as security',
      'h.smtpUser as userName',
      'h.postmarkStream as stream',
      'h.isDefault',
      'h.provedAt',
      'h.version',
      'h.updatedAt',
      'h.updatedBy',
    ])
    .select(sql<boolean>`h.secret_sealed is not null`.as('hasSecret'))
}

type Row = Omit<EmailHandler, 'eventsPath'> & { customerId: string }

function shown({ customerId, ...row }: Row, secrets: Secrets): EmailHandler {
  const hasEvents = row.kind === 'postmark'
  return {
    ...row,
    eventsPath: hasEvents ? `/api/mail-events/${eventsKey(secrets, { customerId, id: row.id })}` : null,
  }
}
