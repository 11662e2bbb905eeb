import { sql, type Kysely } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { can, describe, Func, Opr, type Permission } from '#contract/permissions.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Settings } from '#server/environment.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused, stale, tooMany } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { NameService } from '#server/outside/name-service.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { dropUnusedPictures, holdPictures, savePicture, sendPicture } from './brand-pictures.ts'
import { countRequest } from '../request-counts.ts'
import { listWhiteLabels, proofOf, readWhiteLabel } from './white-label-rows.ts'
import { cleanFooter } from './white-label.ts'

/** How often in an hour a customer may have records looked for. */
const CHECKS_AN_HOUR = 60

type Parts = {
  iam: Kysely<DB>
  names: NameService
  settings: Pick<Settings, 'publicUrl' | 'isLoopback'>
}
type WhiteLabelInput = Omit<Received<typeof whiteLabels.save>, 'id' | 'version'>

/**
 * The domains of a customer and how they look. Links to passwords lead to its domains and its people sign in there, so
 * it takes the reach of the whole customer and the right to administer its people besides.
 */
export function whiteLabelHandlers({ iam, names, settings }: Parts): Handlers<typeof whiteLabels> {
  const own = settings.publicUrl === null ? null : new URL(settings.publicUrl).hostname
  const read = (db: Database, id: string) => readWhiteLabel(db, id, own)

  return {
    list: ({ db, actor, input }) => listWhiteLabels(db, actor, { input, publicHost: own }),

    get: ({ db, input }) => read(db, input.id),

    async save({ db, actor, input: { id, version, ...given } }) {
      refuseUnless(actor, can(Func.whiteLabel, id === undefined ? Opr.create : Opr.update))
      await holdPictures(db, actor.customerId)
      const current = id === undefined ? null : await lock(db, id, read)
      if (current !== null && version !== undefined && version !== current.version) {
        throw stale('This domain', current)
      }
      const isMoved = given.domain !== undefined && given.domain !== current?.domain
      if (isMoved) refuseReserved(given.domain, { own, isLoopback: settings.isLoopback })
      const columns = await columnsOf(db, given, current)
      const saved = await explainTaken(
        current === null
          ? db
              .insertInto('whiteLabels')
              .values({ ...blankOf(given), ...columns, verifiedAt: null })
              .returning('id')
              .executeTakeFirstOrThrow()
          : db
              .updateTable('whiteLabels')
              .set(columns)
              // Of another name nothing is known yet.
              .$if(isMoved, (change) =>
                change.set({ verifiedAt: null, challenge: sql`replace(gen_random_uuid()::text, '-', '')` }),
              )
              .where('id', '=', current.id)
              .returning('id')
              .executeTakeFirstOrThrow(),
      )
      if (isMoved && isOfThisMachine(given.domain)) await verified(db, saved.id)
      await dropUnusedPictures(db, actor.customerId)
      return read(db, saved.id)
    },

    async remove({ db, actor, input }) {
      refuseUnless(actor, can(Func.whiteLabel, Opr.delete))
      await holdPictures(db, actor.customerId)
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
      const answer = async (said: string) => ({ whiteLabel: await inTenant((db) => read(db, row.id)), said })
      if (row.verifiedAt !== null) return answer('This domain is verified already.')
      if (actor.isPlatformStaff && actor.may(can(Func.customers, Opr.update))) {
        await inTenant((db) => verified(db, row.id, row.challenge))
        return answer('Verified: the platform vouches for it.')
      }
      const { count, seconds } = await countRequest(
        iam,
        'domain checks of a customer',
        actor.customerId,
        3_600,
      )
      if (count > CHECKS_AN_HOUR) {
        throw tooMany(`${CHECKS_AN_HOUR} checks an hour are enough. Try again later.`, seconds)
      }
      const { name, value } = proofOf(row)
      const texts = await names.readTexts(name)
      if (!texts.some((text) => text.trim() === value)) {
        const found = texts.length === 0 ? 'There is no TXT record yet' : 'A TXT record says something else'
        return answer(`${found} at ${name}. New records may take an hour to show.`)
      }
      await inTenant((db) => verified(db, row.id, row.challenge))
      return answer('Verified: the record was found.')
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
  if (!actor.may(wanted)) throw forbidden(`You may not do this. It needs ${describe(wanted)}.`)
  requireCustomerReach(actor, 'Domains are kept')
  const administer = can(Func.users, Opr.administer)
  if (!actor.may(administer)) {
    throw forbidden(`Links to passwords lead to domains. It needs ${describe(administer)}.`)
  }
}

const isOfThisMachine = (domain: string | undefined): boolean => domain?.endsWith('.localhost') === true

/** @throws Failure 400 for names that are nobody's to bring. */
function refuseReserved(
  domain: string | undefined,
  { own, isLoopback }: { own: string | null; isLoopback: boolean },
): void {
  const sentence = domain === own ? 'This is the address of this installation itself.' : null
  const local = isOfThisMachine(domain) && !isLoopback ? 'This name means the own machine everywhere.' : null
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

/** What a new one cannot do without; the contract has seen to it. */
const blankOf = ({ domain = '', title = '' }: WhiteLabelInput) => ({ domain, title })

/** The columns that are sent, the footer cleaned and pictures kept. */
async function columnsOf(db: Database, given: WhiteLabelInput, current: DomainWhiteLabel | null) {
  const { domain, purpose, title, logo, favicon, footer, brand } = given
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

/** Unless it became another domain meanwhile. */
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

/** Whoever has the domain, in this customer or another: the sentence is the same. */
async function explainTaken<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (!isViolation(error, 'unique')) throw error
    throw conflict('This domain is already in use.', { domain: 'This domain is already in use.' })
  }
}
