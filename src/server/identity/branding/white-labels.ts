import { sql, type Kysely } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Settings } from '#server/environment.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused, stale, tooMany } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { DnsResolver } from '#server/outside/dns-resolver.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { dropUnusedPictures, lockPictures, savePicture, sendPicture } from './brand-pictures.ts'
import { countRequest } from '../request-counts.ts'
import { listWhiteLabels, proofOf, readWhiteLabel } from './white-label-rows.ts'
import { cleanFooter } from './white-label.ts'

/** DNS checks that a customer may make in an hour. */
const CHECKS_AN_HOUR = 60

type Parts = {
  iam: Kysely<DB>
  names: DnsResolver
  settings: Pick<Settings, 'publicUrl' | 'isLoopback'>
}
type WhiteLabelInput = Omit<Received<typeof whiteLabels.save>, 'id' | 'version'>

/**
 * A customer's domains and their branding. Password links lead to these domains and users sign in there, so
 * changes require access to all organizations and the right to administer users.
 */
export function whiteLabelHandlers({ iam, names, settings }: Parts): Handlers<typeof whiteLabels> {
  const own = settings.publicUrl === null ? null : new URL(settings.publicUrl).hostname
  const read = (db: Database, id: string) => readWhiteLabel(db, id, own)

  return {
    list: ({ db, actor, input }) => listWhiteLabels(db, actor, { input, publicHost: own }),

    get: ({ db, input }) => read(db, input.id),

    async save({ db, actor, input: { id, version, ...fields } }) {
      refuseUnless(actor, can(Func.whiteLabel, id === undefined ? Opr.create : Opr.update))
      await lockPictures(db, actor.customerId)
      const current = id === undefined ? null : await lock(db, id, read)
      if (current !== null && version !== undefined && version !== current.version) {
        throw stale('This domain', current)
      }
      const isMoved = fields.domain !== undefined && fields.domain !== current?.domain
      if (isMoved && current !== null) await requireNotPrinted(db, current.domain)
      if (isMoved) refuseReserved(fields.domain, { own, isLoopback: settings.isLoopback })
      const columns = await columnsOf(db, fields, current)
      const saved = await explainTaken(
        current === null
          ? db
              .insertInto('whiteLabels')
              .values({ ...blankOf(fields), ...columns, verifiedAt: null })
              .returning('id')
              .executeTakeFirstOrThrow()
          : db
              .updateTable('whiteLabels')
              .set(columns)
              // A new name has to be verified again.
              .$if(isMoved, (change) =>
                change.set({ verifiedAt: null, challenge: sql`replace(gen_random_uuid()::text, '-', '')` }),
              )
              .where('id', '=', current.id)
              .returning('id')
              .executeTakeFirstOrThrow(),
      )
      if (isMoved && isOfThisMachine(fields.domain)) await verified(db, saved.id)
      await dropUnusedPictures(db, actor.customerId)
      return read(db, saved.id)
    },

    async remove({ db, actor, input }) {
      refuseUnless(actor, can(Func.whiteLabel, Opr.delete))
      await lockPictures(db, actor.customerId)
      await requireSeen(db, input, { table: 'whiteLabels', noun: 'domain', read: read })
      await requireNotPrinted(db, (await read(db, input.id)).domain)
      const removed = await db
        .deleteFrom('whiteLabels')
        .where('id', '=', input.id)
        .returning('id')
        .executeTakeFirst()
      if (removed === undefined) throw notFound('Domain')
      await dropUnusedPictures(db, actor.customerId)
      return null
    },

    async verify({ actor, inTenant, input }) {
      refuseUnless(actor, can(Func.whiteLabel, Opr.update))
      const row = await inTenant((db) =>
        db
          .selectFrom('whiteLabels')
          .select(['id', 'domain', 'challenge', 'verifiedAt'])
          .where('id', '=', input.id)
          .executeTakeFirst(),
      )
      if (row === undefined) throw notFound('Domain')
      const answer = async (message: string) => ({
        whiteLabel: await inTenant((db) => read(db, row.id)),
        message,
      })
      if (row.verifiedAt !== null) return answer('This domain is already verified.')
      if (actor.isPlatformStaff && actor.may(can(Func.customers, Opr.update))) {
        await inTenant((db) => verified(db, row.id, row.challenge))
        return answer('Verified by platform staff.')
      }
      const { count, seconds } = await countRequest(
        iam,
        'domain checks of a customer',
        actor.customerId,
        3_600,
      )
      if (count > CHECKS_AN_HOUR) {
        throw tooMany(`The limit is ${CHECKS_AN_HOUR} checks an hour. Try again later.`, seconds)
      }
      const { name, value } = proofOf(row)
      const texts = await names.readTexts(name)
      if (!texts.some((text) => text.trim() === value)) {
        const found =
          texts.length === 0 ? "There's no TXT record yet" : 'The TXT record has a different value'
        return answer(`${found} at ${name}. New records can take an hour to appear.`)
      }
      await inTenant((db) => verified(db, row.id, row.challenge))
      return answer('Verified. The record was found.')
    },

    picture: ({ input }) => sendPicture(iam, input.hash),

    async isServed({ input }) {
      const domain = input.domain.toLowerCase()
      if (domain !== own && !(await isOfActiveCustomer(iam, domain))) throw notFound('Domain')
      return null
    },
  }
}

function refuseUnless(actor: Member, wanted: Permission): void {
  requirePermission(actor, wanted)
  requireCustomerReach(actor, 'Domains are managed')
  const administer = can(Func.users, Opr.administer)
  if (!actor.may(administer)) {
    throw forbidden(`Password links use these domains, so this requires ${describe(administer)}.`)
  }
}

const isOfThisMachine = (domain: string | undefined): boolean => domain?.endsWith('.localhost') === true

/** @throws Failure 400 for reserved names. */
function refuseReserved(
  domain: string | undefined,
  { own, isLoopback }: { own: string | null; isLoopback: boolean },
): void {
  const sentence = domain === own ? 'This domain is already used by this installation.' : null
  const local =
    isOfThisMachine(domain) && !isLoopback
      ? 'Names ending in .localhost always refer to the local machine. Enter a public domain.'
      : null
  const wrong = sentence ?? local
  if (wrong !== null) throw refused(wrong, { domain: wrong })
}

async function lock(
  db: Database,
  id: string,
  read: (db: Database, id: string) => Promise<DomainWhiteLabel>,
): Promise<DomainWhiteLabel> {
  await sql`select 1 from white_labels where id = ${id} for update`.execute(db)
  return read(db, id)
}

/** @throws Failure 409 while short URLs name the domain: what is printed would lead nowhere */
async function requireNotPrinted(db: Database, domain: string): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select name from short_urls where domain = ${domain} order by name`.execute(db)
  if (rows.length === 0) return
  const names = rows.slice(0, 3).map(({ name }) => name)
  const more = rows.length > 3 ? ` and ${rows.length - 3} more` : ''
  throw conflict(
    `${rows.length === 1 ? 'The short URL' : 'The short URLs'} ${names.join(', ')}${more} ${rows.length === 1 ? 'uses' : 'use'} this domain. Choose another one there first.`,
  )
}

/** Required columns of a new domain. The contract has checked that they are given. */
const blankOf = ({ domain = '', title = '' }: WhiteLabelInput) => ({ domain, title })

/** The columns to change, with the footer sanitized and the pictures stored. */
async function columnsOf(db: Database, fields: WhiteLabelInput, current: DomainWhiteLabel | null) {
  const { domain, purpose, title, logo, favicon, footer, brand } = fields
  const keep = (field: 'logo' | 'favicon', picture: string | null) =>
    savePicture(db, { field, picture, current: current?.[field] ?? null })
  return {
    ...(domain !== undefined && { domain }),
    ...(purpose !== undefined && { purpose }),
    ...(title !== undefined && { title }),
    ...(brand !== undefined && { brand }),
    ...(footer !== undefined && { footer: await cleanFooter(footer) }),
    ...(logo !== undefined && { logo: await keep('logo', logo) }),
    ...(favicon !== undefined && { favicon: await keep('favicon', favicon) }),
    updatedAt: sql<string>`app_now()`,
  }
}

/** Marks a domain as verified, unless its name has changed since the check. */
async function verified(db: Database, id: string, challenge?: string): Promise<void> {
  const change = db
    .updateTable('whiteLabels')
    .set({ verifiedAt: sql`app_now()` })
    .where('id', '=', id)
  await (challenge === undefined ? change : change.where('challenge', '=', challenge)).execute()
}

async function isOfActiveCustomer(iam: Kysely<DB>, domain: string): Promise<boolean> {
  const found = await iam
    .selectFrom('whiteLabels')
    .innerJoin('customers', 'customers.id', 'whiteLabels.customerId')
    .select('whiteLabels.id')
    .where('domain', '=', domain)
    .where('verifiedAt', 'is not', null)
    .where('customers.status', '=', 'active')
    .executeTakeFirst()
  return found !== undefined
}

/** The message is the same whether this customer or another one has the domain. */
async function explainTaken<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (!isViolation(error, 'unique')) throw error
    throw conflict('This domain is already in use.', { domain: 'This domain is already in use.' })
  }
}
