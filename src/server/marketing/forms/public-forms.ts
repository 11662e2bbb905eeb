import { sql } from 'kysely'
import { type CompiledDefinition, compileDefinition } from '#contract/questions/compile.ts'
import { Definition, type Country } from '#contract/questions/definition.ts'
import { FormTranslations } from '#contract/marketing/forms/form-texts.ts'
import { LeadFields } from '#contract/marketing/forms/lead-fields.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** A form as visitors use it, in one of its versions. */
export type PublicForm = Readonly<{
  customerId: string
  id: string
  key: string
  name: string
  number: number
  isClosed: boolean
  compiled: CompiledDefinition
  leadFields: LeadFields
  thankYouTitle: string
  thankYouText: string
  replySubject: string | null
  replyText: string | null
  translations: FormTranslations
  /** Origins of other sites that may show it in a frame. */
  embedOrigins: readonly string[]
  requiresProof: boolean
  lotId: string | null
  /** Minutes after which it becomes a lead if it is left halfway; null: never. */
  unfinishedMinutes: number | null
}>

/** Who receives a submission. */
export type Receiver = Readonly<{
  organizationId: string
  organizationName: string
  lotId: string | null
  phone: string | null
  zone: string
  country: Country | undefined
}>

/** Parsed definitions by their fingerprint; the number is limited because memory is. */
const compiled = new Map<string, CompiledDefinition>()
const MAX_COMPILED = 500
const COUNTRIES: Readonly<Record<string, Country>> = { USD: 'US', CAD: 'CA', GBP: 'GB', MXN: 'MX' }

type FormRow = Omit<PublicForm, 'compiled' | 'leadFields' | 'translations' | 'customerId'> & {
  definition: unknown
  leadFields: unknown
  translations: unknown
  fingerprint: string
}

/**
 * Reads a form by its address in the published version, or in `number` if a visitor has that version open; null if it doesn't exist or
 * was never published.
 */
export async function readPublicForm(
  db: Database,
  { customerId }: Pick<Site, 'customerId'>,
  { key, number = null }: { key: string; number?: number | null },
): Promise<PublicForm | null> {
  return readForm(
    db,
    customerId,
    sql`f.key = ${key} and v.number = coalesce(${number}::int, f.published_number)`,
  )
}

/** The form on the vehicle pages of an organization: its own, otherwise the one of all organizations. */
export async function readVehicleForm(
  db: Database,
  { customerId }: Pick<Site, 'customerId'>,
  { organizationId }: { organizationId: string },
): Promise<PublicForm | null> {
  return readForm(
    db,
    customerId,
    sql`f.is_on_vehicle_pages and f.closed_at is null and v.number = f.published_number and (f.lot_id is null
      or exists (select from lots l where l.customer_id = f.customer_id and l.id = f.lot_id and l.organization_id = ${organizationId}))`,
  )
}

async function readForm(
  db: Database,
  customerId: string,
  condition: ReturnType<typeof sql<boolean>>,
): Promise<PublicForm | null> {
  const { rows } = await sql<FormRow>`
    select f.id::text, f.key, f.name, v.number, f.closed_at is not null as is_closed, v.definition, md5(v.definition::text) as fingerprint, v.lead_fields,
      f.thank_you_title, f.thank_you_text, f.reply_subject, f.reply_text, f.translations, f.embed_origins, f.requires_proof, f.lot_id::text,
      (select s.unfinished_minutes from lead_settings s where s.customer_id = f.customer_id) as unfinished_minutes
    from forms f join form_versions v on v.customer_id = f.customer_id and v.form_id = f.id
    where f.customer_id = ${customerId} and f.published_number is not null and ${condition}
    order by f.lot_id is null, f.id limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { definition, leadFields, translations, fingerprint, ...form } = row
  const known = compiled.get(fingerprint) ?? compileDefinition(Definition.parse(definition))
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(fingerprint, known)
  return {
    ...form,
    customerId,
    compiled: known,
    leadFields: LeadFields.parse(leadFields),
    translations: FormTranslations.parse(translations),
  }
}

/** The lot and organization that receive what is sent: the vehicle's lot, the form's, or the customer's first. `isArchived`: among those of archived organizations. */
export async function readReceiver(
  db: Database,
  { customerId }: Pick<Site, 'customerId'>,
  { lotId, isArchived = false }: { lotId: string | null; isArchived?: boolean },
): Promise<Receiver | null> {
  const { rows } = await sql<Omit<Receiver, 'country'> & { currency: string }>`
    select o.id::text as organization_id, o.name as organization_name, l.id::text as lot_id, l.phone,
      coalesce(l.time_zone, o.time_zone, c.time_zone) as zone, c.currency
    from lots l join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
    join customers c on c.id = l.customer_id
    where l.customer_id = ${customerId} and l.is_archived = ${isArchived}
    order by (l.id = ${lotId}) desc nulls last, l.is_public desc, l.id limit 1`.execute(db)
  const [found] = rows
  if (found === undefined) return null
  const { currency, ...receiver } = found
  return { ...receiver, country: COUNTRIES[currency] }
}
