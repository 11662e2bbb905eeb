import { sql } from 'kysely'
import type { LeadType } from '#contract/leads/inbox/lead-list.ts'
import type { TradeIn } from '#contract/leads/inbox/leads.ts'
import type { Suspicion } from '#contract/leads/inbox/suspicions.ts'
import { type LeadField, LeadFields, senderOf } from '#contract/marketing/forms/lead-fields.ts'
import { SubmittedConsent } from '#contract/marketing/forms/submissions.ts'
import { CONSENT_CHANNELS, CONSENT_PURPOSES } from '#contract/questions/vocabulary.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type NewConsent, receiveLead } from '#server/leads/index.ts'

type Row = Readonly<{
  organizationId: string
  lotId: string | null
  formId: string
  formName: string
  promoPage: string | null
  leadFields: unknown
  answers: Readonly<Record<string, unknown>>
  consents: unknown
  vehicleId: string | null
  vehicleTitle: string | null
  vehiclePriceCents: number | null
  condition: string | null
  campaign: Record<string, string>
  pageUrl: string | null
  referrer: string | null
  language: string
  isTest: boolean
  suspicions: Suspicion[]
  senderAddress: string | null
  finishedAt: string | null
  step: number | null
  steps: number | null
}>

/**
 * Makes the lead of a submission, in quarantine if the submission is. That of one that was left halfway says so, and gets the
 * rest once it is sent. @returns the lead's ID.
 */
export async function addLeadOfSubmission(db: Database, submissionId: string): Promise<string> {
  const { rows } = await sql<Row>`
    select s.organization_id::text, s.lot_id::text, s.form_id::text, f.name as form_name, page.name as promo_page, v.lead_fields, s.answers, s.consents,
      s.vehicle_id::text, s.vehicle_title, s.vehicle_price_cents::float8 as vehicle_price_cents, vehicle.condition, s.campaign,
      s.page_url, s.referrer, s.language, s.is_test, s.finished_at, s.step, s.steps, s.sender_address,
      case when s.state = 'quarantined' then s.suspicions else '{}' end as suspicions
    from form_submissions s join forms f on f.customer_id = s.customer_id and f.id = s.form_id
    join form_versions v on v.customer_id = s.customer_id and v.form_id = s.form_id and v.number = s.form_number
    left join promo_pages page on page.customer_id = s.customer_id and page.id = s.promo_page_id
    left join vehicles vehicle on vehicle.customer_id = s.customer_id and vehicle.id = s.vehicle_id
    where s.id = ${submissionId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The submission of a lead does not exist.')
  const fields = LeadFields.parse(row.leadFields)
  const { name, email, phone, comments } = senderOf(row.answers, fields)
  const answer = (field: LeadField) => answerTo(row.answers, fields, field)
  const tradeIn = tradeInOf(answer)
  const { leadId } = await receiveLead(db, {
    organizationId: row.organizationId,
    lotId: row.lotId,
    type: typeOf(row, { tradeIn, fields }),
    sourceKind: 'form',
    sourceName: row.promoPage === null ? 'Website form' : `Website form, ${row.promoPage}`,
    formId: row.formId,
    submissionId,
    person: {
      name,
      firstName: answer('firstName'),
      lastName: answer('lastName'),
      email,
      phone,
      postalCode: answer('postalCode'),
      language: row.language,
      preferredContact: contactMethodOf(answer('contactMethod')),
      contactTime: answer('contactTime'),
    },
    vehicle:
      row.vehicleTitle === null
        ? null
        : { id: row.vehicleId, title: row.vehicleTitle, priceCents: row.vehiclePriceCents },
    tradeIn,
    comments,
    campaign: row.campaign,
    pageUrl: row.pageUrl,
    referrer: row.referrer,
    language: row.language,
    isTest: row.isTest,
    suspicions: row.suspicions,
    senderAddress: row.senderAddress,
    consents: consentsOf(row),
    unfinished: row.finishedAt === null ? { step: row.step ?? 1, steps: row.steps ?? 1 } : null,
    ...(row.finishedAt !== null && { receivedAt: new Date(row.finishedAt) }),
  })
  return leadId
}

function answerTo(answers: Row['answers'], fields: LeadFields, field: LeadField): string | null {
  const code = fields[field]
  const answer = code === undefined ? undefined : answers[code]
  if (typeof answer === 'number') return String(answer)
  return typeof answer === 'string' && answer !== '' ? answer : null
}

function tradeInOf(answer: (field: LeadField) => string | null): TradeIn | null {
  const number = (text: string | null) => {
    const digits = text?.replaceAll(/\D/g, '') ?? ''
    return digits === '' || digits.length > 7 ? null : Number(digits)
  }
  const tradeIn = {
    vin: answer('tradeVin'),
    year: number(answer('tradeYear')),
    make: answer('tradeMake'),
    model: answer('tradeModel'),
    mileage: number(answer('tradeMileage')),
  }
  return Object.values(tradeIn).some((value) => value !== null) ? tradeIn : null
}

/** A buyer who left a form about trade-ins before its questions about the vehicle still wants to trade one in. */
function typeOf(
  { vehicleTitle, condition, finishedAt }: Row,
  { tradeIn, fields }: { tradeIn: TradeIn | null; fields: LeadFields },
): LeadType {
  if (vehicleTitle !== null) return condition === 'new' || condition === 'demo' ? 'new' : 'used'
  const isAboutTradeIns = fields.tradeMake !== undefined || fields.tradeVin !== undefined
  return tradeIn !== null || (finishedAt === null && isAboutTradeIns) ? 'trade-in' : 'general'
}

function contactMethodOf(answer: string | null): 'email' | 'call' | 'text' | null {
  const word = answer?.toLowerCase() ?? ''
  if (/mail/.test(word)) return 'email'
  if (/text|sms/.test(word)) return 'text'
  return /phone|call/.test(word) ? 'call' : null
}

function consentsOf({ consents, pageUrl }: Row): NewConsent[] {
  const isPurpose = (text: string) => CONSENT_PURPOSES.find((purpose) => purpose === text)
  return SubmittedConsent.array()
    .parse(consents)
    .flatMap(({ isGiven, purpose: named, channels, text, version, language, seller }) => {
      const purpose = isPurpose(named)
      if (purpose === undefined) return []
      return [
        {
          kind: isGiven ? ('given' as const) : ('declined' as const),
          purpose,
          channels: CONSENT_CHANNELS.filter((channel) => channels.includes(channel)),
          text,
          textVersion: version,
          language,
          seller,
          pageUrl,
        },
      ]
    })
}
