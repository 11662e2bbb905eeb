import { sql, type RawBuilder } from 'kysely'
import {
  type ImportedList,
  ImportedList as ImportedListSchema,
  type ImportedListDetails,
  type importedLists,
  MAX_ASKED,
} from '#contract/marketing/campaigns/imported-lists.ts'
import { EVERYONE } from '#contract/marketing/campaigns/audience.ts'
import { clock } from '#server/clock.ts'
import { brokenKey } from '#server/database/violations.ts'
import { allowLongStatements, type Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import type { Upload } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { readSpreadsheet, wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import type { DnsResolver } from '#server/outside/dns-resolver.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'
import { campaignMailHtml, campaignMailText } from '#public/campaign-mail.ts'
import { originOf } from '../site/site-origin.ts'
import { firstFailure } from './check-campaign.ts'
import { checkSender, readSender } from './check-sender.ts'
import { type ComposeParts, readLot } from './compose-campaign.ts'
import { readAudience } from './read-audience.ts'
import { readListRows } from './read-list-rows.ts'
import { saveImportedList, startImport } from './save-imported-list.ts'

const MAX_BYTES = 30_000_000
const MOST_LISTS = 200
const REMOVE_MS = 120_000

export type ListParts = ComposeParts &
  Readonly<{
    outbox: Pick<Outbox, 'isSending' | 'put'>
    names: DnsResolver
    installationSender: string | null
    startFile: StartJobs['startFile']
  }>

/** Lists of people that users upload for campaigns, each with what proves that they agreed. */
export const importedListHandlers = (parts: ListParts): Handlers<typeof importedLists> => ({
  list: ({ db }) => readLists(db, sql`true`),

  async get({ db, input: { id } }) {
    return { ...(await readOne(db, id)), ...(await readDetails(db, id)) }
  },

  async add({ actor, files, input: { name, lotId, dateOrder }, inTenant }) {
    const { sheet, fileName } = await readSheet(files, actor.customerId)
    const read = readListRows(sheet, { dateOrder, today: clock.today(actor.timeZone) })
    return inTenant(async (db) => {
      const { rows } = await sql<{ organizationId: string }>`
        select organization_id::text from lots where id = ${lotId} for share`.execute(db)
      const [lot] = rows
      if (lot === undefined) throw refused('Some fields are invalid.', { lotId: 'Choose a lot that exists.' })
      const { id, waiting } = await saveImportedList(db, { ...lot, name, lotId, fileName, read }).catch(
        (error: unknown) => {
          if (brokenKey(error) !== 'imported_lists_customer_id_name_key_key') throw error
          throw conflict('Another list already has this name.', { name: 'This name is already in use.' })
        },
      )
      if (waiting > 0) await startImport(db, parts, { actor, list: { id, name, waiting } })
      return readOne(db, id)
    })
  },

  async ask({ actor, input: { id }, inTenant, inTenantOnce }) {
    const domain = await checkSender(
      await inTenant((db) => readSender(db, { handlerId: null }, parts)),
      parts.names,
    )
    const failure = firstFailure(domain)
    if (failure !== null) throw conflict(failure)
    const site = await parts.readSite(actor.customerId)
    if (site.host === '')
      throw conflict('The link in these emails needs a verified public domain. Add one under White label.')
    return inTenantOnce(async (db) => {
      await sql`select from imported_lists where id = ${id} for update`.execute(db)
      const list = await readOne(db, id)
      if (!(await parts.outbox.isSending(db, actor.customerId)))
        throw conflict('No mail server is set up, so nothing would be sent. Add an email handler.')
      const sent = await askSome(db, { list, site, parts })
      return { ...(await readOne(db, id)), sent }
    })
  },

  async remove({ db, input: { id } }) {
    await allowLongStatements(db, REMOVE_MS)
    await readOne(db, id)
    const { rows } = await sql<{ name: string }>`
      select name from campaigns where audience -> 'listIds' ? ${id} and state not in ('stopped', 'finished') limit 1`.execute(
      db,
    )
    const [user] = rows
    if (user !== undefined)
      throw conflict(`The campaign “${user.name}” is for this list. Choose other people there first.`)
    return removeList(db, id)
  },
})

async function readSheet(files: Upload, customerId: string): Promise<{ sheet: Sheet; fileName: string }> {
  let found: { sheet: Sheet; fileName: string } | null = null
  for await (const { name, stream } of files) {
    if (found !== null) throw wrongFile('Upload one file at a time.')
    const sheets = await readSpreadsheet(stream, { customerId, maxBytes: MAX_BYTES, isLongList: true })
    const filled = sheets.find(({ lines }) => lines.length > 0)
    if (filled === undefined) throw wrongFile('The file is empty.')
    found = {
      sheet: filled,
      fileName: name
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, 200),
    }
  }
  if (found === null) throw wrongFile('Choose a file.')
  return found
}

async function readLists(db: Database, where: RawBuilder<unknown>): Promise<ImportedList[]> {
  const { rows } = await sql`
    select i.id::text, i.name, i.lot_id::text, l.name as lot_name, i.organization_id::text, i.file_name, i.row_count as rows,
      i.invalid_count as invalid, i.duplicate_count as duplicates, i.state, c.*,
      case when i.state = 'ready' then 0 else (
        select count(*)::int from imported_list_rows w where w.customer_id = i.customer_id and w.list_id = i.id) end as waiting, ${instant(sql`i.created_at`)} as created_at, i.updated_by as created_by, i.version
    from imported_lists i join lots l on l.customer_id = i.customer_id and l.id = i.lot_id
    cross join lateral (
      select count(*)::int as people, count(*) filter (where e.consent_on is not null)::int as proven,
        count(*) filter (where e.answer = 'yes')::int as confirmed, count(*) filter (where e.answer = 'no')::int as declined,
        count(*) filter (where e.requested_at is not null and e.answer is null)::int as asked,
        count(*) filter (where e.consent_on is null and e.requested_at is null and e.answer is null and not e.is_skipped)::int as can_ask
      from imported_list_people e where e.customer_id = i.customer_id and e.list_id = i.id
    ) c where ${where} order by i.created_at desc, i.id desc limit ${MOST_LISTS}`.execute(db)
  return ImportedListSchema.array().parse(rows)
}

async function readOne(db: Database, id: string): Promise<ImportedList> {
  const [list] = await readLists(db, sql`i.id = ${id}`)
  if (list === undefined) throw notFound('List')
  return list
}

type Details = Pick<ImportedListDetails, 'problems' | 'sample'>

async function readDetails(db: Database, id: string): Promise<Details> {
  const { rows } = await sql<Details>`
    select i.problems, coalesce((select jsonb_agg(jsonb_build_object('row', x.row_number, 'name', x.name, 'email', x.email,
        'consentSource', x.consent_source, 'consentOn', to_char(x.consent_on, 'YYYY-MM-DD')) order by x.row_number)
      from (select e.row_number, e.consent_source, e.consent_on, m.name, m.email from imported_list_people e
        join people p on p.customer_id = e.customer_id and p.id = e.person_id
        join people m on m.customer_id = p.customer_id and m.id = coalesce(p.merged_into_id, p.id)
        where e.list_id = i.id order by e.row_number limit 20) x), '[]') as sample
    from imported_lists i where i.id = ${id}`.execute(db)
  return rows[0] ?? { problems: [], sample: [] }
}

type Asking = Readonly<{
  list: ImportedList
  site: Awaited<ReturnType<ComposeParts['readSite']>>
  parts: ListParts
}>

/** Asks the next people, each once. Who is suppressed, or said something about emails before, is skipped. @returns how many were asked */
async function askSome(db: Database, { list, site, parts }: Asking): Promise<number> {
  const lot = await readLot(db, list.lotId)
  if (lot.missing.length > 0)
    throw conflict(
      `${lot.name} has no ${lot.missing.join(' and no ')}. Add it to the lot: the law asks for a postal address.`,
    )
  const { rows } = await sql<{ id: string; personId: string; linkKey: string }>`
    select e.id::text, coalesce(p.merged_into_id, p.id)::text as person_id, e.link_key
    from imported_list_people e join people p on p.customer_id = e.customer_id and p.id = e.person_id
    where e.list_id = ${list.id} and e.consent_on is null and e.requested_at is null and e.answer is null and not e.is_skipped
    order by e.row_number limit ${MAX_ASKED * 4} for update of e`.execute(db)
  const members = await readAudience(db, {
    organizationId: list.organizationId,
    audience: EVERYONE,
    personIds: rows.map(({ personId }) => personId),
  })
  const byPerson = new Map(members.map((member) => [member.personId, member]))
  const origin = originOf({ host: site.host }, parts.base())
  const skipped: string[] = []
  let sent = 0
  for (const { id, personId, linkKey } of rows) {
    if (sent === MAX_ASKED) break
    const member = byPerson.get(personId)
    if (member?.reason !== 'consent' || member.email === null) {
      skipped.push(id)
      continue
    }
    const mail = askingMail({
      firstName: member.firstName,
      company: site.title,
      brand: site.brand,
      origin,
      lot,
      linkKey,
    })
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const mailId = await parts.outbox.put(db, {
      customerId: site.customerId,
      organizationId: list.organizationId,
      userId: null,
      toName: member.name ?? member.email,
      toEmail: member.email,
      ...mail,
      hasSecret: false,
      isOnce: true,
      isAboutBuyer: true,
    })
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await sql`update imported_list_people set requested_at = app_now(), mail_id = ${mailId} where id = ${id}`.execute(
      db,
    )
    sent += 1
  }
  await sql`update imported_list_people set is_skipped = true where id = any(${skipped}::bigint[])`.execute(
    db,
  )
  return sent
}

type AskingMailParts = Readonly<{
  firstName: string | null
  company: string
  brand: string
  origin: string
  lot: Awaited<ReturnType<typeof readLot>>
  linkKey: string
}>

/** Its link opens a page with two buttons. Email programs that unsubscribe on POST say no. */
function askingMail({ firstName, company, brand, origin, lot, linkKey }: AskingMailParts) {
  const href = `${origin}/o/${linkKey}`
  const mail = {
    company,
    brand,
    origin,
    headline: 'May we send you offers by email?',
    text: `Hi ${firstName ?? 'there'},\n\n${lot.name} would like to send you offers and news by email. If you want them, open the page below and confirm it there. If you don’t, do nothing: we won’t ask again.`,
    vehicles: [],
    linkOf: () => href,
    button: { label: 'Choose', href },
    disclaimers: [],
    lot,
    why: `You get this email once, because your address is on a list of ${company}.`,
    unsubscribe: href,
  }
  return {
    subject: `May ${company} send you offers by email?`,
    html: campaignMailHtml(mail),
    text: campaignMailText(mail),
    unsubscribeUrl: href,
  }
}

/** People stay if a lead, another list or a campaign names them, or if they said no: who said no must stay out of later lists. */
async function removeList(db: Database, id: string): Promise<{ people: number }> {
  const { rows } = await sql<{ personId: string }>`
    delete from imported_list_people where list_id = ${id} returning case when is_new then person_id::text end as person_id`.execute(
    db,
  )
  const ids = rows.flatMap(({ personId }) => personId ?? [])
  await sql`delete from imported_lists where id = ${id}`.execute(db)
  const { rows: gone } = await sql`
    delete from people p where p.id = any(${ids}::bigint[]) and p.merged_into_id is null
      and not exists (select from people o where o.customer_id = p.customer_id and o.merged_into_id = p.id)
      and not exists (select from leads l where l.customer_id = p.customer_id and l.person_id = p.id)
      and not exists (select from imported_list_people e where e.customer_id = p.customer_id and e.person_id = p.id)
      and not exists (select from campaign_recipients r where r.customer_id = p.customer_id and r.person_id = p.id)
      and not exists (select from consent_events e where e.customer_id = p.customer_id and e.person_id = p.id and e.kind <> 'given')
    returning 1`.execute(db)
  return { people: gone.length }
}
