import { sql } from 'kysely'
import { formRecord } from '#contract/marketing/forms/forms.ts'
import type { Suspicion } from '#contract/leads/inbox/suspicions.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import {
  addForm,
  addLeadOfSubmission,
  publishForm,
  readPublicForm,
  saveSubmission,
  type PublicForm,
  type Receiver,
} from '#server/marketing/index.ts'
import { type Chance, seededBy } from './chance.ts'
import { workOnLeads } from './demo-leads.ts'
import { KEYS_OF_FORMS } from './demo-short-urls.ts'
import { DEMO_FORMS, type DemoForm } from './form-definitions.ts'

const DAYS = 90
const DAY_MS = 86_400_000
const FIRST = [
  'Ava',
  'Ben',
  'Carla',
  'Dmitri',
  'Elena',
  'Farid',
  'Grace',
  'Hiro',
  'Ines',
  'Jonas',
  'Kim',
  'Luis',
  'Mona',
  'Noah',
] as const
const LAST = [
  'Abbott',
  'Bauer',
  'Castillo',
  'Dogan',
  'Ellis',
  'Fischer',
  'Garcia',
  'Hughes',
  'Ito',
  'Jansen',
  'Keller',
  'Lopez',
] as const
const QUESTIONS = [
  'Is this car still available?',
  'Could I see it on Saturday morning?',
  'Does the price include the winter tires?',
  'How many owners did it have?',
  'Would you take my old car in part exchange?',
  'Can you send me more photos of the interior?',
] as const
const SPAM = 'Rank first on every search page https://seo.example https://links.example'

/** A vehicle that is for sale, with who sells it. */
type ForSale = Receiver & { vehicleId: string; title: string; cents: number | null }

type DemoFormsOptions = {
  customerId: string
  submissions: number
  unfinishedMinutes: number | undefined
  now: Date
}

/** Adds the forms of a customer and what visitors sent in the last 90 days. */
export async function addDemoForms(
  db: Database,
  { customerId, submissions, unfinishedMinutes, now }: DemoFormsOptions,
): Promise<void> {
  const published: { form: PublicForm; of: DemoForm }[] = []
  for (const of of DEMO_FORMS) {
    const { definition, weight: _, ...form } = of
    await publishForm(db, await addForm(db, formRecord.create.parse({ ...form, draft: definition })))
    const read = await readPublicForm(db, { customerId }, { key: form.key })
    if (read !== null) published.push({ form: read, of })
  }
  const vehicles = await readForSale(db, customerId)
  if (vehicles.length === 0) return
  const chance = seededBy(`forms of ${submissions}`)
  const sent: SentForm[] = []
  for (let at = 0; at < submissions; at += 1) {
    // More on recent days than long ago, and never in the night of the United States.
    const day = Math.floor((1 - Math.sqrt(chance.upTo(1))) * DAYS)
    const moment = new Date(
      Math.floor(now.getTime() / DAY_MS) * DAY_MS - day * DAY_MS + (13 * 60 + chance.whole(0, 600)) * 60_000,
    )
    const key = chance.weighed(Object.fromEntries(published.map(({ form, of }) => [form.key, of.weight])))
    const form = published.find((one) => one.form.key === key)?.form
    if (form === undefined) continue
    const of = { form, vehicle: chance.oneOf(vehicles), at, chance, moment: moment > now ? now : moment }
    sent.push(await addSubmission(db, of))
  }
  await backdate(db, customerId, sent)
  await workOnLeads(db, customerId, { now })
  if (unfinishedMinutes !== undefined) await followUp(db, { customerId, unfinishedMinutes, now })
}

/** From now on, forms that are left become leads. The newest one that was left long enough ago has just become one. */
async function followUp(
  db: Database,
  { customerId, unfinishedMinutes, now }: Omit<DemoFormsOptions, 'submissions'>,
): Promise<void> {
  await sql`insert into lead_settings (customer_id, unfinished_minutes) values (${customerId}, ${unfinishedMinutes})
    on conflict (customer_id) do update set unfinished_minutes = excluded.unfinished_minutes`.execute(db)
  const left = new Date(now.getTime() - (unfinishedMinutes ?? 0) * 60_000).toISOString()
  const { rows } = await sql<{ id: string }>`
    update form_submissions set became_lead = true where customer_id = ${customerId} and id = (
      select id from form_submissions where customer_id = ${customerId} and state = 'unfinished' and answers ? 'email'
        and sent_at < ${left}::timestamptz order by sent_at desc, id desc limit 1)
    returning id::text`.execute(db)
  for (const { id } of rows) await addLeadOfSubmission(db, id)
}

type SentForm = { formId: string; sentKey: string; at: string }

async function addSubmission(
  db: Database,
  {
    form,
    vehicle,
    at,
    chance,
    moment,
  }: { form: PublicForm; vehicle: ForSale; at: number; chance: Chance; moment: Date },
): Promise<SentForm> {
  const isSpam = chance.happens(0.07)
  const isUnfinished = !isSpam && form.compiled.definition.sections.length > 1 && chance.happens(0.25)
  const seller = {
    name: vehicle.organizationName,
    ...(vehicle.country !== undefined && { country: vehicle.country }),
  }
  const all = answersOf(form, { isSpam, chance, moment })
  // Who leaves after the first step has answered only that.
  const [first] = form.compiled.definition.sections
  const asked = new Set(first?.questions.map(({ code }) => code))
  const given = isUnfinished
    ? Object.fromEntries(Object.entries(all).filter(([code]) => asked.has(code)))
    : all
  const evaluation = evaluateAnswers(form.compiled, given, {
    language: 'en',
    now: moment,
    zone: vehicle.zone,
    seller,
    setAside: true,
  })
  const [problem] = evaluation.problems.filter(({ section }) => !isUnfinished || section === first?.id)
  if (problem !== undefined)
    throw new Error(`A demo submission is wrong: ${problem.question}: ${problem.message}`)
  const suspicions: Suspicion[] = isSpam ? ['links', ...(chance.happens(0.5) ? ['fast' as const] : [])] : []
  const campaign: Record<string, string> = {
    ...(chance.happens(0.4) && {
      utm_source: chance.oneOf(['google', 'newsletter', 'facebook']),
      utm_medium: chance.oneOf(['cpc', 'email', 'social']),
    }),
    // Some scanned the code of the short URL at the counter.
    ...(form.key === 'test-drive' && at % 4 === 0 && { short_url: KEYS_OF_FORMS['test-drive'] }),
  }
  const sentKey = `demo-submission-${String(at).padStart(6, '0')}`
  const isAboutVehicle = form.key !== 'contact' && form.key !== 'trade-in'
  await saveSubmission(db, {
    form,
    receiver: vehicle,
    vehicle: isAboutVehicle
      ? { id: vehicle.vehicleId, title: vehicle.title, priceCents: vehicle.cents, path: '' }
      : null,
    place: { sentKey, stored: null, isSame: false },
    evaluation,
    isFinished: !isUnfinished,
    progress: {
      step: 1,
      steps: form.compiled.definition.sections.length,
      minutesUntilLead: null,
      isRefused: false,
    },
    suspicions,
    sent: {
      language: 'en',
      pageUrl: null,
      referrer: null,
      campaign,
      senderAddress: `198.51.100.${1 + (at % 250)}`,
    },
  })
  return { formId: form.id, sentKey, at: moment.toISOString() }
}

/** Sets the times at which they were sent, also in the audit log. */
async function backdate(db: Database, customerId: string, sent: readonly SentForm[]): Promise<void> {
  await sql`alter table form_submissions disable trigger user`.execute(db)
  await sql`with sent as (
      update form_submissions s set sent_at = t.at, updated_at = t.at, finished_at = case when finished_at is not null then t.at end
      from json_to_recordset(${JSON.stringify(sent)}::json) as t("formId" bigint, "sentKey" text, at timestamptz)
      where s.customer_id = ${customerId} and s.form_id = t."formId" and s.sent_key = t."sentKey" returning s.id, t.at)
    update audit_log a set at = sent.at from sent
    where a.customer_id = ${customerId} and a.table_name = 'form_submissions' and a.row_id = sent.id::text`.execute(
    db,
  )
  await sql`alter table form_submissions enable trigger user`.execute(db)
}

function answersOf(
  { key }: PublicForm,
  { isSpam, chance, moment }: { isSpam: boolean; chance: Chance; moment: Date },
): Record<string, unknown> {
  const firstName = chance.oneOf(FIRST)
  const lastName = chance.oneOf(LAST)
  const hasPhone = chance.happens(0.6)
  const person = {
    firstName,
    lastName,
    email: `${firstName}.${lastName}@mail.example`.toLowerCase(),
    ...(hasPhone && { phone: `(916) 555-${String(chance.whole(100, 199)).padStart(4, '0')}` }),
    news: { isGiven: chance.happens(0.45), version: 1 },
  }
  const message = isSpam ? SPAM : chance.oneOf(QUESTIONS)
  const visit = new Date(moment.getTime() + chance.whole(1, 6) * DAY_MS).toISOString().slice(0, 10)
  const accident = chance.happens(0.2)
  const byForm: Readonly<Record<string, object>> = {
    ask: { message },
    'test-drive': { day: visit, time: chance.oneOf(['morning', 'afternoon', 'evening']) },
    'trade-in': {
      year: String(chance.whole(2009, 2023)),
      make: chance.oneOf(['Ford', 'Honda', 'Toyota', 'Chevrolet', 'Subaru']),
      model: chance.oneOf(['Focus', 'Civic', 'Camry', 'Malibu', 'Outback']),
      mileage: String(chance.whole(20, 140) * 1_000),
      condition: chance.whole(2, 5),
      accident,
      ...(accident && { damage: 'The rear bumper. It was repaired by the manufacturer.' }),
      message,
    },
    contact: { topic: chance.oneOf(['sales', 'service', 'other']), message },
  }
  return { ...person, ...byForm[key] }
}

async function readForSale(db: Database, customerId: string): Promise<ForSale[]> {
  const { rows } = await sql<Omit<ForSale, 'country'>>`
    select v.id::text as vehicle_id, concat_ws(', ', concat_ws(' ', v.year, v.make, v.model, v.trim), v.stock) as title,
      p.total_cents::float8 as cents, o.id::text as organization_id, o.name as organization_name, l.id::text as lot_id, l.phone,
      coalesce(l.time_zone, o.time_zone) as zone
    from vehicles v join lots l on l.customer_id = v.customer_id and l.id = v.lot_id
    join organizations o on o.customer_id = v.customer_id and o.id = v.organization_id
    left join vehicle_prices p on p.customer_id = v.customer_id and p.vehicle_id = v.id
    where v.customer_id = ${customerId} and v.publishable and l.is_public order by v.id`.execute(db)
  return rows.map((row) => ({ ...row, country: 'US' }))
}
